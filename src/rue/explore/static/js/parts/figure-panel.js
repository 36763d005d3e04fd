// A panel of a figure: its curves and which is which. `element.panel = panel` as /api/figures tells it.

import { Part, h, s } from "../lib/element.js";
import { short } from "../lib/format.js";
import { lineStyle } from "../lib/lines.js";
import "./line-chart.js";

class FigurePanel extends Part {
  build() {
    this.title_ = h("h3");
    this.chart = h("line-chart");
    this.legend = h("ul.legend");
    this.show(this.title_, this.chart, this.legend);
    this.listen(globalThis, "themechange", () => this.tell());
    if (this.panel_) this.tell();
  }

  set panel(panel) {
    this.panel_ = panel;
    if (this.chart) this.tell();
  }

  tell() {
    const { title, x, y, lines } = this.panel_;
    this.title_.textContent = title;
    const points = (line, heights) => heights && line.x.map((at, k) => [at, heights[k]]);
    const band = (line) => (line.low && (!y.log || line.low.every((low) => low > 0)) ? { low: points(line, line.low), high: points(line, line.high) } : {});
    this.chart.picture = { x, y, none: "No curve yet.", lines: lines.map((line) => ({ name: line.label, place: line.place, points: points(line, line.y), ...band(line) })) };
    this.legend.replaceChildren(...lines.map(({ label, algorithm, place, whole, y: heights }) => {
      const { colour, dash } = lineStyle(place);
      return h("li", { title: algorithm, class: whole ? null : "pulse" }, s("svg", { viewBox: "0 0 26 6" }, s("line", { x1: 0, x2: 26, y1: 3, y2: 3, stroke: colour, "stroke-dasharray": dash || null })), h("span", label), h("span.muted", short(heights.at(-1))));
    }));
  }
}

customElements.define("figure-panel", FigurePanel);
