// The curve of a run: exploitability over time on logarithmic axes. `element.data = run`; the attribute `small` hides the axes.

import { Component, svg } from "../base/element.js";
import { duration, significant } from "../base/format.js";
import { logScale, logTicks } from "../base/axis_scales.js";

/** The time at a tick, precise enough for ticks that are close together: 0.02 s, 1.05 s, 12.5 s, 3:05 min */
const tickTime = (seconds) => (seconds < 100 ? `${significant(seconds)} s` : duration(seconds));

class RunCurve extends Component {
  #size = { width: 0, height: 0 };
  #drawn = "";

  build() {
    this.svg = svg("svg", { role: "img", "aria-label": "exploitability over time" });
    this.append(this.svg);
    this.observeSize(this, (size) => {
      this.#size = size;
      if (this.data) this.render(this.data);
    });
  }

  /** Draw the curve, unless it is drawn already. */
  render(run) {
    const { width, height } = this.#size;
    const key = [run.id, run.until, run.curve?.length, run.curve?.at(-1), width, height].join();
    if (key === this.#drawn) return;
    this.#drawn = key;
    const points = (run.curve ?? []).filter(([, seconds, exploitability]) => seconds > 0 && exploitability > 0);
    this.svg.replaceChildren();
    if (!width || points.length < 2) return;
    const small = this.hasAttribute("small");
    const margin = small ? { left: 2, right: 4, top: 4, bottom: 4 } : { left: 46, right: 12, top: 8, bottom: 20 };
    const { until } = run;
    const heights = points.map((point) => point[2]).concat(until ? [until * 0.9] : []);
    const times = points.map((point) => point[1]);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const [first, last] = [times[0], Math.max(times.at(-1), times[0] * 1.5)];
    const x = logScale(first, last, margin.left, width - margin.right);
    const y = logScale(low, high, height - margin.bottom, margin.top);
    if (!small) this.axes(x, y, [first, last], [low, high], width, height, margin);
    if (until && until >= low && until <= high) {
      this.svg.append(svg("line", { class: "target", x1: margin.left, x2: width - margin.right, y1: y(until), y2: y(until) }));
    }
    const path = points.map(([, seconds, value], k) => `${k ? "L" : "M"}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`);
    this.svg.append(svg("path", { class: "curve", d: path.join("") }));
    const end = points.at(-1);
    this.svg.append(svg("circle", { class: "last", cx: x(end[1]), cy: y(end[2]), r: 3 }));
  }

  axes(x, y, [first, last], [low, high], width, height, margin) {
    const unit = this.data.measure.startsWith("%") ? "%" : "";
    for (const value of logTicks(low, high, Math.max(2, Math.floor(height / 32)))) {
      this.svg.append(svg("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value) }));
      this.svg.append(svg("text", { x: margin.left - 6, y: y(value) + 3, "text-anchor": "end" }, `${significant(value)}${unit}`));
    }
    for (const value of logTicks(first, last, Math.max(2, Math.floor(width / 110)))) {
      this.svg.append(svg("text", { x: x(value), y: height - 4, "text-anchor": "middle" }, tickTime(value)));
    }
  }
}

customElements.define("run-curve", RunCurve);
