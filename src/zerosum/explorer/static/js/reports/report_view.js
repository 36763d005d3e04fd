// A report as bars and a table, sortable by every column; a row is a card, a flop or a variant of a spot. `element.data` takes the
// server's answer; `element.pick = (name) => …` is called on a click on a row; the attribute `cards` says that rows are cards.

import { Component, h, press, segmented, svg } from "../base/element.js";
import { actionLabel, percent, fixed } from "../base/format.js";
import { linearTicks, linearScale } from "../base/axis_scales.js";
import { app } from "../base/store.js";
import "../components/playing_card.js";

const MODES = [
  ["strategy", "Actions"],
  ["ev_oop", "EV OOP"],
  ["ev_ip", "EV IP"],
  ["equity_oop", "Equity OOP"],
  ["equity_ip", "Equity IP"],
];
/** Pixels of a bar from which on its name is written below it. */
const MIN_NAMED_WIDTH = 10;
const [HEIGHT, LEFT, BOTTOM] = [230, 44, 46];

class ReportView extends Component {
  mode = "strategy";
  pick = null;
  sort = { key: "name", ascending: true };

  build() {
    this.modes = segmented("mode", MODES, (mode) => this.choose(mode));
    this.legend = h("div.row.legend");
    this.figure = h("figure");
    this.table = h("div.scroll");
    this.replaceContent(h("div.row", this.modes, this.legend), this.figure, this.table);
    this.listen(window, "resize", () => this.data && this.figure.replaceChildren(this.draw(this.order())));
  }

  choose(mode) {
    this.mode = mode;
    this.render();
  }

  /** The columns: titles, numbers, means, and how numbers are formatted. */
  columns() {
    const { rows, totals, actions, colours } = this.data;
    const pot = Math.max(...rows.pot, 1);
    const chips = (number) => fixed(number, Math.max(0, Math.min(3, 4 - Math.ceil(Math.log10(pot)))));
    const declared = new Map(app.get("server").tables.report.map((column) => [column.name, column]));
    const column = (key, format) => ({ key, title: declared.get(key).title, about: declared.get(key).help, numbers: rows[key], means: totals[key], format });
    const shares = (digits) => (share) => percent(share, digits);
    const taken = actions.map((name, a) => ({ key: name, title: actionLabel(name), colour: colours[a], numbers: rows.frequency[a], means: totals.frequency[a], format: shares(1) }));
    const bySeat = ["oop", "ip"].flatMap((seat) => [column(`ev_${seat}`, chips), column(`equity_${seat}`, shares(1)), column(`realised_${seat}`, shares(0))]);
    const exploitability = rows.exploitability.some((share) => share !== null) ? [column("exploitability", shares(2))] : [];
    return [column("weight", shares(2)), ...taken, ...bySeat, ...exploitability];
  }

  order() {
    const { rows } = this.data;
    const { key, ascending } = this.sort;
    const order = rows.name.map((_, k) => k);
    const column = this.columns().find((entry) => entry.key === key);
    if (column) order.sort((a, b) => (column.numbers[b] ?? -Infinity) - (column.numbers[a] ?? -Infinity));
    return ascending === (column === undefined) ? order : order.reverse();
  }

  sortBy(key) {
    this.sort = { key, ascending: this.sort.key === key ? !this.sort.ascending : key === "name" };
    this.render();
  }

  render() {
    press(this.modes, this.mode);
    const order = this.order();
    const { actions, colours, rows } = this.data;
    this.legend.replaceChildren(...(this.mode === "strategy" ? actions.map((name, a) => h("span", h("i.swatch", { style: { background: colours[a] } }), ` ${actionLabel(name)}`)) : []), h("span.muted", rows.player[0] && this.mode === "strategy" ? `${rows.player[0]} to act` : ""));
    this.figure.replaceChildren(this.draw(order));
    this.table.replaceChildren(this.createTable(order));
  }

  nameOf(k) {
    const { name, variant } = this.data.rows;
    return variant[k] && variant[k] !== name[k] ? `${name[k]} ${variant[k]}` : name[k];
  }

  createTable(order) {
    const columns = this.columns();
    const direction = (key) => (this.sort.key !== key ? null : this.sort.ascending ? "ascending" : "descending");
    const arrow = (key) => (direction(key) === null ? "" : direction(key) === "ascending" ? " ▴" : " ▾");
    const head = (key, title, about) => h("th", { "aria-sort": direction(key), title: about }, h("button.quiet", { data: { key }, onclick: () => this.sortBy(key) }, title, arrow(key)));
    const cells = (k) => columns.map(({ numbers, format }) => h("td", format(numbers[k])));
    const label = (k) => (this.hasAttribute("cards") ? h("board-cards", { board: this.data.rows.name[k] }) : this.nameOf(k));
    const name = (k) => (this.pick ? h("button.quiet", { onclick: () => this.pick(this.data.rows.name[k]) }, label(k)) : label(k));
    const means = this.data.totals.name.map((title, t) => h("tr.mean", h("td", title), columns.map(({ means, format }) => h("td", format(means[t])))));
    return h("table", h("thead", h("tr", head("name", this.hasAttribute("cards") ? "Card" : "Row"), columns.map(({ key, title, about }) => head(key, title, about)))), h("tbody", means, order.map((k) => h("tr", { data: { name: this.data.rows.name[k] } }, h("td", name(k)), cells(k)))));
  }

  draw(order) {
    const bottom = HEIGHT - BOTTOM;
    const width = Math.max(300, this.figure.clientWidth || 900);
    const step = (width - LEFT - 4) / Math.max(1, order.length);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": `${order.length} rows; the table below has their numbers` });
    const column = this.columns().find(({ key }) => key === this.mode);
    const values = column ? column.numbers.filter((number) => number !== null) : [1];
    const isShare = this.mode === "strategy" || this.mode.startsWith("equity");
    const [low, high] = isShare ? [0, 1] : [Math.min(0, ...values), Math.max(0, ...values, 1e-9)];
    const y = linearScale(low, high, bottom, 8);
    for (const tick of linearTicks(low, high, 4)) chart.append(svg("line", { class: "grid", x1: LEFT, x2: width - 4, y1: y(tick), y2: y(tick) }), svg("text", { x: LEFT - 5, y: y(tick) + 3.5, "text-anchor": "end" }, isShare ? percent(tick, 0) : fixed(tick, 0)));
    order.forEach((k, position) => {
      const bar = svg("g", { class: this.pick ? "bar leads" : "bar" });
      const box = { x: LEFT + (position + 0.06) * step, width: Math.max(0.4, 0.88 * step) };
      if (column === undefined) this.stack(bar, box, k, y);
      else if (column.numbers[k] !== null) bar.append(svg("rect", { class: this.mode.endsWith("oop") ? "side-oop" : "side-ip", ...box, y: Math.min(y(0), y(column.numbers[k])), height: Math.abs(y(0) - y(column.numbers[k])) }));
      bar.append(svg("title", {}, this.rowText(k)));
      if (this.pick) bar.addEventListener("click", () => this.pick(this.data.rows.name[k]));
      if (step >= MIN_NAMED_WIDTH) chart.append(svg("text", { class: "name", "text-anchor": "end", transform: `translate(${box.x + box.width / 2 + 3.5} ${bottom + 6}) rotate(-90)` }, this.nameOf(k)));
      chart.append(bar);
    });
    const mean = column?.means[0] ?? null;
    if (mean !== null) chart.append(svg("line", { class: "mean", x1: LEFT, x2: width - 4, y1: y(mean), y2: y(mean) }));
    return chart;
  }

  /** Draw a bar split by action. */
  stack(bar, box, k, y) {
    const { rows, colours } = this.data;
    let from = 0;
    rows.frequency.forEach((shares, a) => {
      const share = shares[k] ?? 0;
      if (share > 0) bar.append(svg("rect", { ...box, y: y(from + share), height: y(from) - y(from + share), fill: colours[a] }));
      from += share;
    });
  }

  /** Describe a row. */
  rowText(k) {
    return `${this.nameOf(k)}: ${this.columns().map(({ title, numbers, format }) => `${title} ${format(numbers[k])}`).join(", ")}`;
  }
}

customElements.define("report-view", ReportView);
