// The curve of a run: exploitability over time, both logarithmic. `element.run = run`; the attribute `small` leaves
// out the axes.

import { Part, s } from "../lib/element.js";
import { duration, short } from "../lib/format.js";
import { logScale, marks } from "../lib/scale.js";

/** A time beside others that may be near: 0.02 s, 1.05 s, 12.5 s, 3:05 min */
const moment = (seconds) => (seconds < 100 ? `${short(seconds)} s` : duration(seconds));

class RunCurve extends Part {
  #run = null;
  #size = { width: 0, height: 0 };
  #drawn = "";

  build() {
    this.svg = s("svg", { role: "img", "aria-label": "exploitability over time" });
    this.append(this.svg);
    this.during(() => {
      const observer = new ResizeObserver(([{ contentRect }]) => {
        this.#size = contentRect;
        this.draw();
      });
      observer.observe(this);
      return () => observer.disconnect();
    });
  }

  set run(run) {
    this.#run = run;
    this.draw();
  }

  /** Draw what is new. */
  draw() {
    if (!this.svg || !this.#run) return;
    const { width, height } = this.#size;
    const look = [this.#run.id, this.#run.until, this.#run.curve?.length, this.#run.curve?.at(-1), width, height].join();
    if (look === this.#drawn) return;
    this.#drawn = look;
    const points = (this.#run.curve ?? []).filter(([, seconds, reached]) => seconds > 0 && reached > 0);
    this.svg.replaceChildren();
    if (!width || points.length < 2) return;
    const small = this.hasAttribute("small");
    const room = small ? { left: 2, right: 4, top: 4, bottom: 4 } : { left: 46, right: 12, top: 8, bottom: 20 };
    const until = this.#run.until;
    const reached = points.map((point) => point[2]).concat(until ? [until * 0.9] : []);
    const times = points.map((point) => point[1]);
    const [low, high] = [Math.min(...reached), Math.max(...reached)];
    const [first, last] = [times[0], Math.max(times.at(-1), times[0] * 1.5)];
    const x = logScale(first, last, room.left, width - room.right);
    const y = logScale(low, high, height - room.bottom, room.top);
    if (!small) this.axes(x, y, [first, last], [low, high], width, height, room);
    if (until && until >= low && until <= high) {
      this.svg.append(s("line", { class: "target", x1: room.left, x2: width - room.right, y1: y(until), y2: y(until) }));
    }
    const path = points.map(([, seconds, value], k) => `${k ? "L" : "M"}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`);
    this.svg.append(s("path", { class: "curve", d: path.join("") }));
    const end = points.at(-1);
    this.svg.append(s("circle", { class: "last", cx: x(end[1]), cy: y(end[2]), r: 3 }));
  }

  axes(x, y, [first, last], [low, high], width, height, room) {
    const unit = this.#run.measure.startsWith("%") ? "%" : "";
    for (const value of marks(low, high, Math.max(2, Math.floor(height / 32)))) {
      this.svg.append(s("line", { class: "grid", x1: room.left, x2: width - room.right, y1: y(value), y2: y(value) }));
      this.svg.append(s("text", { x: room.left - 6, y: y(value) + 3, "text-anchor": "end" }, `${short(value)}${unit}`));
    }
    for (const value of marks(first, last, Math.max(2, Math.floor(width / 110)))) {
      this.svg.append(s("text", { x: x(value), y: height - 4, "text-anchor": "middle" }, moment(value)));
    }
  }
}

customElements.define("run-curve", RunCurve);
