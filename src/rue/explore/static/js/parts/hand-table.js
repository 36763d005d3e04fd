// The hands of a decision, one by one: what they are, how they play, what they earn. Sorted by any column, filtered by
// what players call hands (AKs, top pair, flush draw) and by the class that is held in the grid.

import { Part, h, say } from "../lib/element.js";
import { className } from "../lib/cells.js";
import { EDGE, columnsOf } from "../lib/columns.js";
import { copy } from "../lib/give.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import { walk } from "../lib/walk.js";

const HEIGHT = 24;
const STEP = 2;
/** Rows by which what is drawn moves on, and that are drawn above and below what is seen. */
const LETTER = 6.4;
/** Pixels of a letter of a text, rather more than fewer. */
const PAUSE = 200;

class HandTable extends Part {
  #latest = new Latest();
  #named = null;
  #order = [];
  #made = new Map();
  /** Rows that were made, used again and again, by how many columns they have. */
  sort = { column: "hand", down: false };
  room = { width: 0, height: 20 * HEIGHT };
  top = 0;
  /** Pixels in which rows are seen, and by which they are scrolled: asking for them would take a layout. */

  build() {
    this.filter = h("input", { type: "search", placeholder: "Filter: AKs, top pair, flush draw…", "aria-label": "filter hands", spellcheck: "false", oninput: () => this.typed() });
    this.count = h("span.muted", { role: "status" });
    this.copy = h("button.quiet", { title: "Copy all rows, as they are sorted and filtered", onclick: () => this.give() }, "Copy");
    this.sentence = h("p.bad");
    this.widths = h("colgroup");
    this.head = h("thead");
    this.body = h("tbody");
    this.above = h("tr.space");
    this.below = h("tr.space");
    this.table = h("table", { "aria-label": "hands" }, this.widths, this.head, this.body);
    this.scroll = h("div.scroll", { tabindex: "0", role: "region", "aria-label": "the table of hands", onscroll: () => this.scrolled() }, this.table);
    this.scroll.addEventListener("copy", (event) => this.copied(event));
    this.show(h("div.row.tools", h("div.grow", this.filter), this.count, this.copy), this.sentence, this.scroll);
    this.watch(walk, "view", () => this.soon());
    this.watch(walk, "held", () => this.tell());
    this.watch(walk, "point", () => this.filter.value.trim() && this.ask());
    this.during(() => {
      const observer = new ResizeObserver(([{ contentRect }]) => {
        const wider = contentRect.width !== this.room.width;
        this.room = contentRect;
        this.draw(!wider);
      });
      observer.observe(this.scroll);
      return () => observer.disconnect();
    });
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

  /** Draw when the frame that shows the grid is made: the rows take longer than everything else of a step. */
  soon() {
    if (this.coming) return;
    this.coming = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.coming = false;
      this.tell();
    }));
  }

  tell() {
    const decision = walk.get("view")?.decision;
    if (!decision) return;
    this.decision = decision;
    this.table.classList.toggle("judged", decision.judged);
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
    say(this.count, `${wanted.length} of ${hands.name.length} hands${held === null ? "" : `, ${className(held)}`}`);
    this.heads();
    this.draw();
  }

  heads() {
    const titles = this.columns.map(({ key, title, about }) => `${key} ${title} ${about ?? ""} ${this.sort.column} ${this.sort.down}`).join();
    if (titles !== this.titles) {
      this.titles = titles;
      this.head.replaceChildren(h("tr", { "aria-rowindex": 1 }, this.columns.map(({ key, title, about }) => {
        const sorted = key === this.sort.column ? (this.sort.down ? "ascending" : "descending") : null;
        return h("th", { "aria-sort": sorted, title: about }, h("button.quiet", { data: { key }, onclick: () => this.turn(key) }, title, sorted && (this.sort.down ? " ▴" : " ▾")));
      })));
    }
    const kinds = this.columns.map(({ key }) => key).join();
    const before = kinds === this.kinds ? this.sizes : [];
    const sizes = this.columns.map(({ width }, k) => Math.max(Math.ceil(width), before[k] ?? 0));
    this.kinds = kinds;
    if (sizes.join() === this.sizes?.join()) return;
    this.sizes = sizes;
    this.widths.replaceChildren(...sizes.map((width, k) => h("col", { style: this.columns[k].key === "made" ? {} : { width: `${width}px` } })));
    this.table.style.minWidth = `${sizes.reduce((sum, width) => sum + width, 0)}px`;
  }

  scrolled() {
    this.top = this.scroll.scrollTop;
    this.draw(true);
  }

  turn(column) {
    this.sort = { column, down: this.sort.column === column && !this.sort.down };
    this.tell();
  }

  /** Draw the rows that are seen, and room for the others; after a scroll only if others are seen. */
  draw(scrolled = false) {
    if (!this.columns) return;
    const total = this.#order.length;
    if (this.total !== total) {
      this.total = total;
      this.table.setAttribute("aria-rowcount", total + 1);
      this.scroll.style.setProperty("--rows", total);
    }
    const seen = Math.ceil(this.room.height / HEIGHT) + 3 * STEP;
    const first = Math.max(0, Math.min(STEP * Math.floor(this.top / HEIGHT / STEP) - STEP, total - seen));
    const last = Math.min(total, first + seen);
    if (scrolled && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const made = this.#made.get(this.columns.length) ?? [];
    this.#made.set(this.columns.length, made);
    while (made.length < last - first) made.push(h("tr", this.columns.map(({ kind, make }) => h(kind, make()))));
    const rows = made.slice(0, last - first);
    this.above.style.height = `${first * HEIGHT}px`;
    this.below.style.height = `${(total - last) * HEIGHT}px`;
    const body = [first > 0 && this.above, ...rows, last < total && this.below].filter(Boolean);
    if (body.length !== this.body.childElementCount || body.some((row, k) => row !== this.body.children[k])) this.body.replaceChildren(...body);
    const letters = this.letters;
    rows.forEach((row, at) => this.fill(row, first + at, letters));
  }

  /** How many letters the column of made hands has room for: it has what the others leave. */
  get letters() {
    const others = this.columns.reduce((sum, { key }, k) => sum + (key === "made" ? 0 : this.sizes[k]), 0);
    const least = this.sizes[this.columns.findIndex(({ key }) => key === "made")];
    return Math.floor((Math.max(least, this.room.width - others) - EDGE) / LETTER);
  }

  fill(row, at, letters) {
    const k = this.#order[at];
    const name = this.decision.hands.name[k];
    if (row.dataset.hand !== name) row.dataset.hand = name;
    if (row.ariaRowIndex !== String(at + 2)) row.ariaRowIndex = at + 2;
    this.columns.forEach(({ draw }, column) => draw(row.children[column], k, letters));
  }

  /** The whole table, with tabs between its columns. */
  get text() {
    const columns = this.columns.filter(({ text }) => text);
    const rows = this.#order.map((k) => columns.map(({ text }) => bare(text(k))));
    return [columns.map(({ key, title }) => (title === "EV" ? key.replace(/^ev$/, "EV") : title)), ...rows].map((row) => row.join("\t")).join("\n");
  }

  async give() {
    if (await copy(this.text)) this.told("copied");
  }

  /** Copying without a selection copies all of it. */
  copied(event) {
    if (!getSelection().isCollapsed) return;
    event.clipboardData.setData("text/plain", this.text);
    event.preventDefault();
    this.told("copied");
  }

  told(text) {
    say(this.copy, text);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => say(this.copy, "Copy"), 2000);
  }
}

/** A text with its numbers as other programs read them. */
const bare = (text) => text.replaceAll("−", "-").replace(/(\d),(?=\d{3})/g, "$1");

customElements.define("hand-table", HandTable);
