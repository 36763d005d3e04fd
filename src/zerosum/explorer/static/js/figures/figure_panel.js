// One panel of a figure: curves and legend. `element.data` takes a panel of /api/figures.

import { Component, h, svg } from "../base/element.js";
import { significant } from "../base/format.js";
import { lineStyle } from "../base/line_styles.js";
import "../components/line_chart.js";

class FigurePanel extends Component {
  build() {
    this.title_ = h("h3");
    this.chart = h("line-chart");
    this.legend = h("ul.legend");
    this.replaceContent(this.title_, this.chart, this.legend);
    this.listen(globalThis, "themechange", () => this.render(this.data));
  }

  render({ title, x, y, lines }) {
    this.title_.textContent = title;
    const points = (line, heights) => heights && line.x.map((value, k) => [value, heights[k]]);
    const band = (line) => (line.low && (!y.log || line.low.every((low) => low > 0)) ? { low: points(line, line.low), high: points(line, line.high) } : {});
    this.chart.data = { x, y, emptyText: "No curve yet.", lines: lines.map((line) => ({ name: line.label, style: line.style, points: points(line, line.y), ...band(line) })) };
    this.legend.replaceChildren(...lines.map(({ label, algorithm, style, is_complete: isComplete, y: heights }) => {
      const { colour, dash } = lineStyle(style);
      return h("li", { title: algorithm, class: isComplete ? null : "pulse" }, svg("svg", { viewBox: "0 0 26 6" }, svg("line", { x1: 0, x2: 26, y1: 3, y2: 3, stroke: colour, "stroke-dasharray": dash || null })), h("span", label), h("span.muted", significant(heights.at(-1))));
    }));
  }
}

customElements.define("figure-panel", FigurePanel);
