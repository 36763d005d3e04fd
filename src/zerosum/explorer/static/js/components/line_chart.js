// Curves on linear or logarithmic axes, with the values under the pointer: `element.data = { lines: [{ name, style, points, low,
// high }], x: { title, log }, y: { title, log }, emptyText }`, where a point is [x, y] and `style` the index of a line style.

import { Component, h, svg } from "../base/element.js";
import { significant } from "../base/format.js";
import { svgText } from "../base/download.js";
import { lineStyle } from "../base/line_styles.js";
import { linearTicks, linearScale, logScale, logTicks } from "../base/axis_scales.js";

const MARGIN = { left: 58, right: 22, top: 10, bottom: 36 };

class LineChart extends Component {
  build() {
    this.svg = svg("svg", { role: "img", "aria-label": "curves" });
    this.tip = h("div.tip", { hidden: true });
    this.emptyText = h("p.muted");
    this.replaceContent(this.svg, this.tip, this.emptyText);
    this.observeSize(this, () => this.render());
    this.listen(globalThis, "themechange", () => this.render());
    this.svg.addEventListener("pointermove", (event) => this.showValues(event));
    this.svg.addEventListener("pointerleave", () => this.showValues(null));
  }

  /** Return the chart as the text of an SVG file. */
  svgText() {
    return svgText(this.svg);
  }

  render() {
    if (!this.data) return;
    const { clientWidth: width, clientHeight: height } = this;
    const { x, y } = this.data;
    const lines = this.data.lines
      .map((line) => ({ ...line, points: line.points.filter(([a, b]) => (a > 0 || !x.log) && (b > 0 || !y.log)) }))
      .filter((line) => line.points.length);
    this.svg.replaceChildren();
    this.emptyText.textContent = lines.length ? "" : (this.data.emptyText ?? "");
    if (!width || !lines.length) return;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const all = lines.flatMap((line) => line.points);
    const extent = (k) => [all.reduce((low, point) => Math.min(low, point[k]), Infinity), all.reduce((high, point) => Math.max(high, point[k]), -Infinity)];
    const xScale = createScale(extent(0), x.log, MARGIN.left, width - MARGIN.right, Math.max(2, Math.floor(width / 90)));
    const yScale = createScale(extent(1), y.log, height - MARGIN.bottom, MARGIN.top, Math.max(2, Math.floor(height / 34)));
    this.drawAxes(xScale, yScale, width, height);
    for (const line of lines) this.drawLine(line, xScale, yScale);
    this.drawn = { lines, xScale, width, height };
  }

  drawAxes(xScale, yScale, width, height) {
    const { x, y } = this.data;
    const style = getComputedStyle(this);
    const [grid, ink] = [style.getPropertyValue("--line"), style.getPropertyValue("--muted")];
    const text = (attributes, content) => this.svg.append(svg("text", { "font-size": 11, fill: ink, ...attributes }, content));
    for (const value of yScale.ticks) {
      this.svg.append(svg("line", { stroke: grid, x1: MARGIN.left, x2: width - MARGIN.right, y1: yScale(value), y2: yScale(value) }));
      text({ x: MARGIN.left - 6, y: yScale(value) + 4, "text-anchor": "end" }, tickText(value));
    }
    for (const value of xScale.ticks) {
      this.svg.append(svg("line", { stroke: grid, x1: xScale(value), x2: xScale(value), y1: MARGIN.top, y2: height - MARGIN.bottom }));
      text({ x: xScale(value), y: height - MARGIN.bottom + 15, "text-anchor": "middle" }, tickText(value));
    }
    text({ x: (MARGIN.left + width - MARGIN.right) / 2, y: height - 5, "text-anchor": "middle" }, x.title);
    text({ transform: `translate(12 ${(MARGIN.top + height - MARGIN.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, y.title);
  }

  drawLine({ name, style, points, low, high }, xScale, yScale) {
    const { colour, dash } = lineStyle(style);
    const path = (heights) => heights.map(([a, b]) => `${xScale(a).toFixed(1)} ${yScale(b).toFixed(1)}`);
    if (low && high) {
      this.svg.append(svg("path", { d: `M${[...path(high), ...path(low).reverse()].join("L")}Z`, fill: colour, opacity: 0.16 }));
    }
    const curve = svg("path", { d: `M${path(points).join("L")}`, fill: "none", stroke: colour, "stroke-width": 1.8, "stroke-linejoin": "round", "stroke-dasharray": dash || null, "data-line": name });
    const [a, b] = points.at(-1);
    this.svg.append(curve, svg("circle", { cx: xScale(a), cy: yScale(b), r: 2.8, fill: colour }));
  }

  /** Show the values of all lines at the pointer. */
  showValues(event) {
    this.rule?.remove();
    this.tip.hidden = true;
    if (!event || !this.drawn || !this.svg.childElementCount) return;
    const { lines, xScale, width, height } = this.drawn;
    const left = event.clientX - this.svg.getBoundingClientRect().left;
    if (left < MARGIN.left || left > width - MARGIN.right) return;
    const value = xScale.invert(left);
    const rows = lines
      .map((line) => ({ ...line, point: line.points.findLast(([a]) => a <= value * 1.0001) }))
      .filter((line) => line.point)
      .sort((first, second) => second.point[1] - first.point[1]);
    if (!rows.length) return;
    this.rule = svg("line", { x1: left, x2: left, y1: MARGIN.top, y2: height - MARGIN.bottom, stroke: getComputedStyle(this).getPropertyValue("--faint"), "stroke-dasharray": "2 3" });
    this.svg.append(this.rule);
    this.tip.replaceChildren(h("div.muted", `${this.data.x.title} ${significant(value)}`), ...rows.slice(0, 14).map((line) => h("div.row", h("i", { style: { background: lineStyle(line.style).colour } }), h("span.grow", line.name), h("b", significant(line.point[1])))));
    this.tip.hidden = false;
    this.tip.style.left = left > width / 2 ? "" : `${left + 14}px`;
    this.tip.style.right = left > width / 2 ? `${width - left + 14}px` : "";
  }
}

function createScale([low, high], log, from, to, limit) {
  if (log && low === high) [low, high] = [low / 1.5, high * 1.5];
  if (!log && low === high) [low, high] = [low - 1, high + 1];
  const scale = log ? logScale(low, high, from, to) : linearScale(low, high, from, to);
  const share = (position) => (position - from) / (to - from);
  return Object.assign(scale, {
    ticks: log ? logTicks(low, high, limit) : linearTicks(low, high, limit),
    invert: (position) => (log ? low * (high / low) ** share(position) : low + share(position) * (high - low)),
  });
}

function tickText(value) {
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) return value.toExponential().replace("e+", "e").replace(/(\.\d\d)\d+/, "$1");
  return significant(value);
}

customElements.define("line-chart", LineChart);
