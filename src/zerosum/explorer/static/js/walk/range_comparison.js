// Both ranges: their remaining hands, their equity distribution, their composition.

import { Component, h, svg } from "../base/element.js";
import { className } from "../components/hand_cells.js";
import { percent, fixed, positionLabel } from "../base/format.js";
import { api } from "../base/api.js";
import { walk } from "./walk_state.js";

const SIDES = ["oop", "ip"];

class RangeComparison extends Component {
  #latest = this.latestRequest();

  build() {
    this.message = h("p.bad");
    this.content = h("div.ranges");
    this.replaceContent(this.message, this.content);
    this.subscribe(walk, "position", (point) => point && !this.hidden && this.load());
  }

  async load() {
    try {
      this.content.classList.add("stale");
      const comparison = await this.#latest.send((signal) => api.ranges(walk.get("run"), walk.fullLine, signal));
      if (!comparison) return;
      this.message.textContent = "";
      this.content.classList.remove("stale");
      this.render(comparison);
    } catch (error) {
      this.message.textContent = error.message;
      this.content.replaceChildren();
    }
  }

  render(comparison) {
    const grids = comparison.sides.map((side, k) => h("div", h("div.row", h(`i.swatch.side-${SIDES[k]}`), h("h2.grow", positionLabel(side.player)), h("span.muted", `${fixed(side.combos, 1)} hands · equity ${percent(side.equity)}`)), this.grid(side, k)));
    this.content.replaceChildren(
      h("div.columns", grids),
      comparison.sides.every((side) => side.equity_curve.length) ? h("div.columns", h("figure", h("figcaption", "Equity by hand, best hands first"), this.curves(comparison.sides)), h("figure", h("figcaption", "Hands by equity"), this.buckets(comparison.sides))) : "",
      this.shares("Made hands", comparison.made_hands, comparison.sides, "made_hand"),
      this.shares("Draws", comparison.draws, comparison.sides, "draw"),
    );
  }

  grid({ groups: { class: classes } }, side) {
    const indices = new Map(classes.group.map((cell, k) => [cell, k]));
    return h(`div.small-cells.side-${SIDES[side]}`, Array.from({ length: 169 }, (_, cell) => {
      const k = indices.get(cell);
      if (k === undefined) return h("div");
      return h("div", { class: classes.start_share[k] < 0.45 ? "pale" : null, title: `${className(cell)}: ${percent(classes.start_share[k])} left, equity ${percent(classes.equity[k])}` }, h("i", { style: { opacity: (0.15 + 0.85 * classes.start_share[k]).toFixed(2) } }), h("span", className(cell)));
    }));
  }

  /** Draw the equity of the hand at each percent of both ranges. */
  curves(sides) {
    const [width, height, left, bottom] = [320, 190, 30, 18];
    const x = (k) => left + (k / 100) * (width - left - 4);
    const y = (equity) => 4 + (1 - equity) * (height - bottom - 4);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "equity distribution of both ranges" });
    for (const mark of [0, 0.25, 0.5, 0.75, 1]) {
      chart.append(svg("line", { class: "grid", x1: left, x2: width - 4, y1: y(mark), y2: y(mark) }), svg("text", { x: left - 4, y: y(mark) + 3, "text-anchor": "end" }, percent(mark, 0)));
    }
    for (const mark of [0, 25, 50, 75, 100]) chart.append(svg("text", { x: x(mark), y: height - 4, "text-anchor": mark === 100 ? "end" : "middle" }, `${mark}%`));
    sides.forEach((side, k) => chart.append(svg("path", { class: `line side-${SIDES[k]}`, d: side.equity_curve.map((equity, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${y(equity).toFixed(1)}`).join("") })));
    return chart;
  }

  buckets(sides) {
    const [width, height, bottom] = [320, 190, 18];
    const highest = Math.max(0.01, ...sides.flatMap((side) => side.equity_histogram));
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "hands by equity" });
    const step = width / sides[0].equity_histogram.length;
    sides.forEach((side, k) => side.equity_histogram.forEach((share, bucket) => {
      const barHeight = (share / highest) * (height - bottom - 6);
      const bar = svg("rect", { class: `bar side-${SIDES[k]}`, x: (bucket + 0.1 + 0.4 * k) * step, width: 0.4 * step, y: height - bottom - barHeight, height: barHeight });
      bar.append(svg("title", {}, `${positionLabel(side.player)}: ${percent(share)} of the hands have ${10 * bucket} to ${10 * bucket + 10}% equity`));
      chart.append(bar);
    }));
    sides[0].equity_histogram.forEach((_, bucket) => chart.append(svg("text", { x: (bucket + 0.5) * step, y: height - 4, "text-anchor": "middle" }, `${10 * bucket}`)));
    return chart;
  }

  shares(title, names, sides, kind) {
    const byName = sides.map(({ groups: { [kind]: groups } }) => new Map(groups.name.map((name, k) => [name, groups.share[k]])));
    const present = names.filter((name) => byName.some((shares) => shares.get(name)));
    if (!present.length) return "";
    const largest = Math.max(...byName.flatMap((shares) => [...shares.values()]));
    const row = (name) => h("tr", h("td", name), byName.map((shares, k) => {
      const share = shares.get(name) ?? 0;
      return h("td", h("div.share", h(`i.side-${SIDES[k]}`, { style: { width: `${(100 * share) / largest}%` } }), h("span", percent(share))));
    }));
    return h("table", h("thead", h("tr", h("th", title), sides.map((side) => h("th", positionLabel(side.player))))), h("tbody", present.map(row)));
  }
}

customElements.define("range-comparison", RangeComparison);
