// Lines over two axes, logarithmic or not: `element.picture = {lines: [{name, place, points, low, high}], x: {title,
// log}, y: {title, log}}`, a point being [x, y]. What is pointed at is told as numbers. `element.file()` is an SVG file.

import { Part, h, s } from "../lib/element.js";
import { short } from "../lib/format.js";
import { svgFile } from "../lib/give.js";
import { lineStyle } from "../lib/lines.js";
import { evenMarks, linearScale, logScale, marks } from "../lib/scale.js";

const ROOM = { left: 58, right: 22, top: 10, bottom: 36 };

class LineChart extends Part {
  #picture = null;

  build() {
    this.svg = s("svg", { role: "img", "aria-label": "curves" });
    this.tip = h("div.tip", { hidden: true });
    this.none = h("p.muted");
    this.show(this.svg, this.tip, this.none);
    this.during(() => {
      const observer = new ResizeObserver(() => this.draw());
      observer.observe(this);
      return () => observer.disconnect();
    });
    this.listen(globalThis, "themechange", () => this.draw());
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }

  set picture(picture) {
    this.#picture = picture;
    this.draw();
  }

  /** The picture as the text of an SVG file. */
  file() {
    return svgFile(this.svg);
  }

  draw() {
    if (!this.svg || !this.#picture) return;
    const { clientWidth: width, clientHeight: height } = this;
    const { x, y } = this.#picture;
    const lines = this.#picture.lines
      .map((line) => ({ ...line, points: line.points.filter(([a, b]) => (a > 0 || !x.log) && (b > 0 || !y.log)) }))
      .filter((line) => line.points.length);
    this.svg.replaceChildren();
    this.none.textContent = lines.length ? "" : (this.#picture.none ?? "");
    if (!width || !lines.length) return;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const all = lines.flatMap((line) => line.points);
    const span = (k) => [all.reduce((least, point) => Math.min(least, point[k]), Infinity), all.reduce((most, point) => Math.max(most, point[k]), -Infinity)];
    const across = scaleOf(span(0), x.log, ROOM.left, width - ROOM.right, Math.max(2, Math.floor(width / 90)));
    const up = scaleOf(span(1), y.log, height - ROOM.bottom, ROOM.top, Math.max(2, Math.floor(height / 34)));
    this.frame(across, up, width, height);
    for (const line of lines) this.line(line, across, up);
    this.drawn = { lines, across, width, height };
  }

  frame(across, up, width, height) {
    const { x, y } = this.#picture;
    const look = getComputedStyle(this);
    const [grid, ink] = [look.getPropertyValue("--line"), look.getPropertyValue("--muted")];
    const text = (attributes, content) => this.svg.append(s("text", { "font-size": 11, fill: ink, ...attributes }, content));
    for (const value of up.marks) {
      this.svg.append(s("line", { stroke: grid, x1: ROOM.left, x2: width - ROOM.right, y1: up(value), y2: up(value) }));
      text({ x: ROOM.left - 6, y: up(value) + 4, "text-anchor": "end" }, tick(value));
    }
    for (const value of across.marks) {
      this.svg.append(s("line", { stroke: grid, x1: across(value), x2: across(value), y1: ROOM.top, y2: height - ROOM.bottom }));
      text({ x: across(value), y: height - ROOM.bottom + 15, "text-anchor": "middle" }, tick(value));
    }
    text({ x: (ROOM.left + width - ROOM.right) / 2, y: height - 5, "text-anchor": "middle" }, x.title);
    text({ transform: `translate(12 ${(ROOM.top + height - ROOM.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, y.title);
  }

  line({ name, place, points, low, high }, across, up) {
    const { colour, dash } = lineStyle(place);
    const path = (heights) => heights.map(([a, b]) => `${across(a).toFixed(1)} ${up(b).toFixed(1)}`);
    if (low && high) {
      this.svg.append(s("path", { d: `M${[...path(high), ...path(low).reverse()].join("L")}Z`, fill: colour, opacity: 0.16 }));
    }
    const made = s("path", { d: `M${path(points).join("L")}`, fill: "none", stroke: colour, "stroke-width": 1.8, "stroke-linejoin": "round", "stroke-dasharray": dash || null, "data-line": name });
    const [a, b] = points.at(-1);
    this.svg.append(made, s("circle", { cx: across(a), cy: up(b), r: 2.8, fill: colour }));
  }

  /** Tell the heights of all lines where the pointer is. */
  point(event) {
    this.rule?.remove();
    this.tip.hidden = true;
    if (!event || !this.drawn || !this.svg.childElementCount) return;
    const { lines, across, width, height } = this.drawn;
    const at = event.clientX - this.svg.getBoundingClientRect().left;
    if (at < ROOM.left || at > width - ROOM.right) return;
    const value = across.back(at);
    const rows = lines
      .map((line) => ({ ...line, here: line.points.findLast(([a]) => a <= value * 1.0001) }))
      .filter((line) => line.here)
      .sort((one, two) => two.here[1] - one.here[1]);
    if (!rows.length) return;
    this.rule = s("line", { x1: at, x2: at, y1: ROOM.top, y2: height - ROOM.bottom, stroke: getComputedStyle(this).getPropertyValue("--faint"), "stroke-dasharray": "2 3" });
    this.svg.append(this.rule);
    this.tip.replaceChildren(h("div.muted", `${this.#picture.x.title} ${short(value)}`), ...rows.slice(0, 14).map((line) => h("div.row", h("i", { style: { background: lineStyle(line.place).colour } }), h("span.grow", line.name), h("b", short(line.here[1])))));
    this.tip.hidden = false;
    this.tip.style.left = at > width / 2 ? "" : `${at + 14}px`;
    this.tip.style.right = at > width / 2 ? `${width - at + 14}px` : "";
  }
}

function scaleOf([low, high], log, from, to, most) {
  if (log && low === high) [low, high] = [low / 1.5, high * 1.5];
  if (!log && low === high) [low, high] = [low - 1, high + 1];
  const scale = log ? logScale(low, high, from, to) : linearScale(low, high, from, to);
  const share = (place) => (place - from) / (to - from);
  return Object.assign(scale, {
    marks: log ? marks(low, high, most) : evenMarks(low, high, most),
    back: (place) => (log ? low * (high / low) ** share(place) : low + share(place) * (high - low)),
  });
}

function tick(value) {
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) return value.toExponential().replace("e+", "e").replace(/(\.\d\d)\d+/, "$1");
  return short(value);
}

customElements.define("line-chart", LineChart);
