// The hands of a decision, one by one: what they are, how they play, what they earn. Sorted by any column, filtered by
// what players call hands (AKs, top pair, flush draw) and by the class that is held in the grid.

import { Part, h } from "../lib/element.js";
import { action, percent, plain } from "../lib/format.js";
import { className } from "../lib/cells.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import { walk } from "../lib/walk.js";
import "./play-card.js";

const HEIGHT = 24;
const MARGIN = 12;
/** Rows that are drawn above and below what is seen. */
const PAUSE = 200;

class HandTable extends Part {
  #latest = new Latest();
  #named = null;
  #order = [];
  sort = { column: "hand", down: false };

  build() {
    this.filter = h("input", { type: "search", placeholder: "Filter: AKs, top pair, flush draw…", "aria-label": "filter hands", spellcheck: "false", oninput: () => this.typed() });
    this.count = h("span.muted");
    this.sentence = h("p.bad");
    this.head = h("thead");
    this.rows = h("tbody");
    this.scroll = h("div.scroll", { onscroll: () => this.draw() }, h("table", this.head, this.rows));
    this.show(h("div.row.tools", h("div.grow", this.filter), this.count), this.sentence, this.scroll);
    this.watch(walk, "view", () => this.tell());
    this.watch(walk, "held", () => this.tell());
    this.watch(walk, "point", () => this.filter.value.trim() && this.ask());
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  /** Which hands the filter names on this board. */
  async ask() {
    const hands = this.filter.value.trim();
    const board = walk.get("view")?.decision?.board;
    this.sentence.textContent = "";
    if (!hands || !board) {
      this.#latest.end();
      this.#named = null;
      this.tell();
      return;
    }
    try {
      const found = await this.#latest.ask((signal) => api.hands(board, hands, signal));
      if (!found) return;
      this.#named = { board, hands: new Set(found.hands) };
    } catch (error) {
      this.sentence.textContent = error.message;
    }
    this.tell();
  }

  tell() {
    const decision = walk.get("view")?.decision;
    if (!decision) return;
    this.decision = decision;
    this.columns = columnsOf(decision);
    if (!this.columns.some((column) => column.key === this.sort.column)) this.sort = { column: "hand", down: false };
    const held = walk.get("held");
    const { hands } = decision;
    const named = this.#named?.board === decision.board ? this.#named.hands : null;
    const wanted = hands.name.map((_, k) => k).filter((k) => (held === null || hands.cell[k] === held) && (!named || named.has(hands.name[k])));
    const { value } = this.columns.find((column) => column.key === this.sort.column);
    const by = (k) => value(k) ?? -Infinity;
    if (this.sort.column !== "hand") wanted.sort((a, b) => (by(a) < by(b) ? 1 : by(a) > by(b) ? -1 : 0));
    if (this.sort.down) wanted.reverse();
    this.#order = wanted;
    this.count.textContent = `${wanted.length} of ${hands.name.length} hands${held === null ? "" : `, ${className(held)}`}`;
    this.heads();
    this.draw();
  }

  heads() {
    const titles = this.columns.map(({ key, title, about }) => `${key} ${title} ${about ?? ""} ${this.sort.column} ${this.sort.down}`).join();
    if (titles === this.titles) return;
    this.titles = titles;
    this.head.replaceChildren(h("tr", this.columns.map(({ key, title, about }) => {
      const sorted = key === this.sort.column ? (this.sort.down ? "ascending" : "descending") : null;
      return h("th", { "aria-sort": sorted, title: about }, h("button.quiet", { data: { key }, onclick: () => this.turn(key) }, title, sorted && (this.sort.down ? " ▴" : " ▾")));
    })));
  }

  turn(column) {
    this.sort = { column, down: this.sort.column === column && !this.sort.down };
    this.tell();
  }

  /** Draw the rows that are seen, and room for the others. */
  draw() {
    const total = this.#order.length;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / HEIGHT) - MARGIN);
    const last = Math.min(total, first + Math.ceil((this.scroll.clientHeight || 600) / HEIGHT) + 2 * MARGIN);
    const space = (rows) => rows > 0 && h("tr.space", { style: { height: `${rows * HEIGHT}px` } });
    const rows = this.#order.slice(first, last).map((k) => h("tr", { data: { hand: this.decision.hands.name[k] } }, this.columns.map(({ cell }) => cell(k))));
    this.rows.replaceChildren(...[space(first), ...rows, space(total - last)].filter(Boolean));
  }
}

/** The columns of a decision: how they are called, what they are sorted by, what they show. */
function columnsOf({ hands, choices, judged, decimals }) {
  const columns = [
    { key: "hand", title: "Hand", value: (k) => -k, cell: (k) => h("td", h("board-cards", { board: hands.name[k] })) },
    { key: "made", title: "Makes", value: (k) => hands.made[k], cell: (k) => h("td.text", { title: hands.draws[k].join(", ") }, hands.made[k], hands.draws[k].length ? h("span.muted", ` ${hands.draws[k].join(", ")}`) : null) },
    { key: "reach", title: "Reach", value: (k) => hands.reach[k], cell: (k) => h("td", percent(hands.reach[k], 0)) },
    { key: "mix", title: "Plays", value: (k) => hands.strategy.at(-1)[k], cell: (k) => h("td", h("div.mix", choices.map(({ colour }, a) => h("i", { style: { width: `${100 * hands.strategy[a][k]}%`, background: colour } })))) },
  ];
  columns.push({ key: "ev", title: "EV", about: "what the hand earns from here on", value: (k) => (judged ? hands.ev[k] : null), cell: (k) => h("td", h("b", judged ? plain(hands.ev[k], decimals) : "…")) });
  columns.push({ key: "equity", title: "Equity", value: (k) => (judged ? hands.equity[k] : null), cell: (k) => h("td", judged ? percent(hands.equity[k]) : "…") });
  choices.forEach(({ name, label }, a) => {
    columns.push({ key: name, title: action(name), about: label, value: (k) => hands.strategy[a][k], cell: (k) => h("td", percent(hands.strategy[a][k], 0)) });
    columns.push({ key: `EV ${name}`, title: "EV", about: `what ${label} earns`, value: (k) => (judged ? hands.evs[a][k] : null), cell: (k) => h("td.muted", judged ? plain(hands.evs[a][k], decimals) : "") });
  });
  return columns;
}

customElements.define("hand-table", HandTable);
