// Both ranges against each other: what is left of them, how equity is spread over them, what they are made of.

import { Part, h, s } from "../lib/element.js";
import { className } from "../lib/cells.js";
import { Latest } from "../lib/latest.js";
import { percent, plain, position } from "../lib/format.js";
import { api } from "../lib/protocol.js";
import { walk } from "../lib/walk.js";

const SIDES = ["one", "two"];

class RangeVersus extends Part {
  #latest = new Latest();

  build() {
    this.sentence = h("p.bad");
    this.room = h("div.versus");
    this.show(this.sentence, this.room);
    this.watch(walk, "point", (point) => point && !this.hidden && this.ask());
    this.during(() => () => this.#latest.end());
  }

  async ask() {
    try {
      this.room.classList.add("stale");
      const found = await this.#latest.ask((signal) => api.versus(walk.get("run"), walk.words, signal));
      if (!found) return;
      this.sentence.textContent = "";
      this.room.classList.remove("stale");
      this.tell(found);
    } catch (error) {
      this.sentence.textContent = error.message;
      this.room.replaceChildren();
    }
  }

  tell(found) {
    const heads = found.sides.map((side, k) => h("div", h("div.row", h(`i.swatch.side-${SIDES[k]}`), h("h2.grow", position(side.player)), h("span.muted", `${plain(side.combos, 1)} hands · equity ${percent(side.equity)}`)), this.grid(side, k)));
    this.room.replaceChildren(
      h("div.two", heads),
      found.sides.every((side) => side.curve.length) ? h("div.two", h("figure", h("figcaption", "Equity over the range, best hands first"), this.curves(found.sides)), h("figure", h("figcaption", "Hands by equity"), this.buckets(found.sides))) : "",
      this.shares("Made hands", found.made, found.sides, "made"),
      this.shares("Draws", found.draws, found.sides, "draws"),
    );
  }

  grid({ classes }, side) {
    const places = new Map(classes.cell.map((cell, k) => [cell, k]));
    return h(`div.small-cells.side-${SIDES[side]}`, Array.from({ length: 169 }, (_, cell) => {
      const k = places.get(cell);
      if (k === undefined) return h("div");
      return h("div", { class: classes.share[k] < 0.45 ? "pale" : null, title: `${className(cell)}: ${percent(classes.share[k])} left, equity ${percent(classes.equity[k])}` }, h("i", { style: { opacity: (0.15 + 0.85 * classes.share[k]).toFixed(2) } }), h("span", className(cell)));
    }));
  }

  /** Equity of the hand at each percent of both ranges. */
  curves(sides) {
    const [width, height, left, bottom] = [320, 190, 30, 18];
    const x = (k) => left + (k / 100) * (width - left - 4);
    const y = (equity) => 4 + (1 - equity) * (height - bottom - 4);
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "equity distribution of both ranges" });
    for (const mark of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(s("line", { class: "grid", x1: left, x2: width - 4, y1: y(mark), y2: y(mark) }), s("text", { x: left - 4, y: y(mark) + 3, "text-anchor": "end" }, percent(mark, 0)));
    }
    for (const mark of [0, 25, 50, 75, 100]) svg.append(s("text", { x: x(mark), y: height - 4, "text-anchor": "middle" }, `${mark}%`));
    sides.forEach((side, k) => svg.append(s("path", { class: `line side-${SIDES[k]}`, d: side.curve.map((equity, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(equity).toFixed(1)}`).join("") })));
    return svg;
  }

  buckets(sides) {
    const [width, height, bottom] = [320, 190, 18];
    const most = Math.max(0.01, ...sides.flatMap((side) => side.buckets));
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "hands by equity" });
    const step = width / sides[0].buckets.length;
    sides.forEach((side, k) => side.buckets.forEach((share, at) => {
      const tall = (share / most) * (height - bottom - 6);
      const bar = s("rect", { class: `bar side-${SIDES[k]}`, x: (at + 0.1 + 0.4 * k) * step, width: 0.4 * step, y: height - bottom - tall, height: tall });
      bar.append(s("title", {}, `${position(side.player)}: ${percent(share)} of the hands have ${10 * at} to ${10 * at + 10}% equity`));
      svg.append(bar);
    }));
    sides[0].buckets.forEach((_, at) => svg.append(s("text", { x: (at + 0.5) * step, y: height - 4, "text-anchor": "middle" }, `${10 * at}`)));
    return svg;
  }

  shares(title, names, sides, kind) {
    const there = names.filter((name) => sides.some((side) => side[kind][name]));
    if (!there.length) return "";
    const most = Math.max(...sides.flatMap((side) => Object.values(side[kind])));
    const row = (name) => h("tr", h("td", name), sides.map((side, k) => {
      const share = side[kind][name] ?? 0;
      return h("td", h("div.share", h(`i.side-${SIDES[k]}`, { style: { width: `${(100 * share) / most}%` } }), h("span", percent(share))));
    }));
    return h("table", h("thead", h("tr", h("th", title), sides.map((side) => h("th", position(side.player))))), h("tbody", there.map(row)));
  }
}

customElements.define("range-versus", RangeVersus);
