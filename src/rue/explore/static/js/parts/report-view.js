// A report: a bar a row (a card, a flop, a kind of a spot), and the same as a table; both sorted by the head that was clicked.
// `element.report = data` as the server tells it; `element.pick = (name) => …` if a row leads somewhere; `cards` if rows are cards.

import { Part, h, s } from "../lib/element.js";
import { action, percent, plain } from "../lib/format.js";
import { evenMarks, linearScale } from "../lib/scale.js";
import "./play-card.js";

const MODES = [
  ["strategy", "Actions"],
  ["ev_oop", "EV OOP"],
  ["ev_ip", "EV IP"],
  ["equity_oop", "Equity OOP"],
  ["equity_ip", "Equity IP"],
];
const NAMED = 10;
/** Width of a bar that still has its name below it. */
const [HEIGHT, LEFT, BOTTOM] = [230, 44, 46];

class ReportView extends Part {
  mode = "strategy";
  sort = { key: "name", up: true };

  build() {
    this.modes = MODES.map(([mode, title]) => h("button", { data: { mode }, onclick: () => this.choose(mode) }, title));
    this.legend = h("div.row.legend");
    this.picture = h("figure");
    this.table = h("div.scroll");
    this.show(h("div.row", h("div.segmented", this.modes), this.legend), this.picture, this.table);
    this.listen(window, "resize", () => this.report_ && this.picture.replaceChildren(this.draw(this.order())));
    if (this.report_) this.dress();
  }

  set report(report) {
    this.report_ = report;
    if (this.table) this.dress();
  }

  choose(mode) {
    this.mode = mode;
    this.dress();
  }

  /** The columns: how they are called, their numbers, how these are told. */
  columns() {
    const { rows, totals, actions, colours } = this.report_;
    const pot = Math.max(...rows.pot, 1);
    const chips = (number) => plain(number, Math.max(0, Math.min(3, 4 - Math.ceil(Math.log10(pot)))));
    const of = (key, title, told, about) => ({ key, title, about, numbers: rows[key], means: totals[key], told });
    const found = [of("weight", "Share", (share) => percent(share, 2), "of all deals that get there")];
    actions.forEach((name, a) => found.push({ key: name, title: action(name), colour: colours[a], numbers: rows.frequencies[a], means: totals.frequencies[a], told: (share) => percent(share) }));
    for (const seat of ["oop", "ip"]) {
      const who = seat.toUpperCase();
      found.push(of(`ev_${seat}`, `EV ${who}`, chips, "chips from here on"), of(`equity_${seat}`, `Equity ${who}`, (share) => percent(share)), of(`realised_${seat}`, `Realised ${who}`, (share) => percent(share, 0), "EV as a share of what equity alone would win"));
    }
    if (rows.exploitability.some((each) => each !== null)) found.push(of("exploitability", "Exploitable", (share) => percent(share, 2), "of its solve, as a share of the pot"));
    return found;
  }

  order() {
    const { rows } = this.report_;
    const { key, up } = this.sort;
    const found = rows.name.map((_, k) => k);
    const column = this.columns().find((each) => each.key === key);
    if (column) found.sort((a, b) => (column.numbers[b] ?? -Infinity) - (column.numbers[a] ?? -Infinity));
    return up === (column === undefined) ? found : found.reverse();
  }

  turn(key) {
    this.sort = { key, up: this.sort.key === key ? !this.sort.up : key === "name" };
    this.dress();
  }

  dress() {
    for (const button of this.modes) button.setAttribute("aria-pressed", String(button.dataset.mode === this.mode));
    const order = this.order();
    const { actions, colours, rows } = this.report_;
    this.legend.replaceChildren(...(this.mode === "strategy" ? actions.map((name, a) => h("span", h("i.swatch", { style: { background: colours[a] } }), ` ${action(name)}`)) : []), h("span.muted", rows.player[0] && this.mode === "strategy" ? `${rows.player[0]} acts` : ""));
    this.picture.replaceChildren(this.draw(order));
    this.table.replaceChildren(this.list(order));
  }

  nameOf(k) {
    const { name, variant } = this.report_.rows;
    return variant[k] && variant[k] !== name[k] ? `${name[k]} ${variant[k]}` : name[k];
  }

  list(order) {
    const columns = this.columns();
    const mark = (key) => (this.sort.key !== key ? null : this.sort.up ? "ascending" : "descending");
    const sign = (key) => (mark(key) === null ? "" : mark(key) === "ascending" ? " ▴" : " ▾");
    const head = (key, title, about) => h("th", { "aria-sort": mark(key), title: about }, h("button.quiet", { data: { key }, onclick: () => this.turn(key) }, title, sign(key)));
    const cells = (k) => columns.map(({ numbers, told }) => h("td", told(numbers[k])));
    const shown = (k) => (this.hasAttribute("cards") ? h("board-cards", { board: this.report_.rows.name[k] }) : this.nameOf(k));
    const name = (k) => (this.pick ? h("button.quiet", { onclick: () => this.pick(this.report_.rows.name[k]) }, shown(k)) : shown(k));
    const means = this.report_.totals.name.map((title, t) => h("tr.mean", h("td", title), columns.map(({ means: each, told }) => h("td", told(each[t])))));
    return h("table", h("thead", h("tr", head("name", this.hasAttribute("cards") ? "Card" : "Row"), columns.map(({ key, title, about }) => head(key, title, about)))), h("tbody", means, order.map((k) => h("tr", { data: { name: this.report_.rows.name[k] } }, h("td", name(k)), cells(k)))));
  }

  draw(order) {
    const bottom = HEIGHT - BOTTOM;
    const width = Math.max(300, this.picture.clientWidth || 900);
    const step = (width - LEFT - 4) / Math.max(1, order.length);
    const svg = s("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": `${order.length} rows; the table below has their numbers` });
    const column = this.columns().find(({ key }) => key === this.mode);
    const known = column ? column.numbers.filter((each) => each !== null) : [1];
    const share = this.mode === "strategy" || this.mode.startsWith("equity");
    const [low, high] = share ? [0, 1] : [Math.min(0, ...known), Math.max(0, ...known, 1e-9)];
    const y = linearScale(low, high, bottom, 8);
    for (const each of evenMarks(low, high, 4)) svg.append(s("line", { class: "grid", x1: LEFT, x2: width - 4, y1: y(each), y2: y(each) }), s("text", { x: LEFT - 5, y: y(each) + 3.5, "text-anchor": "end" }, share ? percent(each, 0) : plain(each, 0)));
    order.forEach((k, at) => {
      const bar = s("g", { class: this.pick ? "bar leads" : "bar" });
      const place = { x: LEFT + (at + 0.06) * step, width: Math.max(0.4, 0.88 * step) };
      if (column === undefined) this.stack(bar, place, k, y);
      else if (column.numbers[k] !== null) bar.append(s("rect", { class: this.mode.endsWith("oop") ? "side-one" : "side-two", ...place, y: Math.min(y(0), y(column.numbers[k])), height: Math.abs(y(0) - y(column.numbers[k])) }));
      bar.append(s("title", {}, this.words(k)));
      if (this.pick) bar.addEventListener("click", () => this.pick(this.report_.rows.name[k]));
      if (step >= NAMED) svg.append(s("text", { class: "name", "text-anchor": "end", transform: `translate(${place.x + place.width / 2 + 3.5} ${bottom + 6}) rotate(-90)` }, this.nameOf(k)));
      svg.append(bar);
    });
    const mean = column?.means[0] ?? null;
    if (mean !== null) svg.append(s("line", { class: "mean", x1: LEFT, x2: width - 4, y1: y(mean), y2: y(mean) }));
    return svg;
  }

  /** A bar split by action. */
  stack(bar, place, k, y) {
    const { rows, colours } = this.report_;
    let from = 0;
    rows.frequencies.forEach((shares, a) => {
      const share = shares[k] ?? 0;
      if (share > 0) bar.append(s("rect", { ...place, y: y(from + share), height: y(from) - y(from + share), fill: colours[a] }));
      from += share;
    });
  }

  /** A row in words. */
  words(k) {
    return `${this.nameOf(k)}: ${this.columns().map(({ title, numbers, told }) => `${title} ${told(numbers[k])}`).join(", ")}`;
  }
}

customElements.define("report-view", ReportView);
