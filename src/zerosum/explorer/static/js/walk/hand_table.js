// The hands of a decision, sortable by every column and filtered by names of hands (AKs, top pair, flush draw) and by the class
// that is pinned in the grid.

import { Component, flash, h, setText, whenReleased } from "../base/element.js";
import { className } from "../components/hand_cells.js";
import { PADDING, columnsOf } from "./hand_columns.js";
import { copyText } from "../base/download.js";
import { LatestRequest } from "../base/latest_request.js";
import { api } from "../base/api.js";
import { walk } from "./walk_state.js";

/** Pixels. */
const ROW_HEIGHT = 24;
/** The first row that is drawn is a multiple of this; the same number of rows is drawn above and below the visible ones. */
const ROW_STEP = 2;
/** Pixels of a letter of text, rounded up. */
const LETTER_WIDTH = 6.4;
/** Milliseconds without typing after which the filter is applied. */
const FILTER_DELAY = 200;

class HandTable extends Component {
  #latest = new LatestRequest();
  #filtered = null;
  #order = [];
  /** Rows to reuse, by their number of columns. */
  #rowPool = new Map();
  sort = { column: "hand", reversed: false };
  /** Size of the visible part in pixels, and how far it is scrolled: reading them from the DOM would trigger a layout. */
  viewport = { width: 0, height: 20 * ROW_HEIGHT };
  scrollOffset = 0;

  build() {
    this.filter = h("input", { type: "search", placeholder: "Filter: AKs, top pair, flush draw…", "aria-label": "filter hands", spellcheck: "false", oninput: () => this.onFilterInput() });
    this.count = h("span.muted", { role: "status" });
    this.copyButton = h("button.quiet", { title: "Copy all rows as sorted and filtered", onclick: () => this.copyRows() }, "Copy");
    this.message = h("p.bad");
    this.widths = h("colgroup");
    this.head = h("thead");
    this.body = h("tbody");
    this.above = h("tr.space");
    this.below = h("tr.space");
    this.table = h("table", { "aria-label": "hands" }, this.widths, this.head, this.body);
    this.scroll = h("div.scroll", { tabindex: "0", role: "region", "aria-label": "the table of hands", onscroll: () => this.onScroll() }, this.table);
    this.scroll.addEventListener("copy", (event) => this.onCopy(event));
    this.replaceContent(h("div.row.tools", h("div.grow", this.filter), this.count, this.copyButton), this.message, this.scroll);
    this.subscribe(walk, "view", () => this.scheduleRender());
    this.subscribe(walk, "pinnedClass", () => this.render());
    this.subscribe(walk, "position", () => this.filter.value.trim() && this.applyFilter());
    this.observeSize(this.scroll, (size) => {
      const hasNewWidth = size.width !== this.viewport.width;
      this.viewport = size;
      this.draw(!hasNewWidth);
    });
  }

  onFilterInput() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.applyFilter(), FILTER_DELAY);
  }

  /** Ask the server which hands the filter matches on this board. */
  async applyFilter() {
    const hands = this.filter.value.trim();
    const board = walk.get("view")?.decision?.board;
    this.message.textContent = "";
    if (!hands || !board) {
      this.#latest.abort();
      this.#filtered = null;
      this.render();
      return;
    }
    try {
      const matches = await this.#latest.send((signal) => api.matchHands(board, hands, signal));
      if (!matches) return;
      this.#filtered = { board, hands: new Set(matches.hands) };
    } catch (error) {
      this.message.textContent = error.message;
    }
    this.render();
  }

  /** Render after the frame that shows the grid: the rows take longer than everything else of a step. */
  scheduleRender() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.isScheduled = false;
      whenReleased(this.head, () => this.render()); // EVs change the widths of the columns
    }));
  }

  render() {
    const decision = walk.get("view")?.decision;
    if (!decision) return;
    this.decision = decision;
    this.table.classList.toggle("has-evs", decision.has_ev);
    this.columns = columnsOf(decision);
    if (!this.columns.some((column) => column.key === this.sort.column)) this.sort = { column: "hand", reversed: false };
    const pinned = walk.get("pinnedClass");
    const { hand: hands, hand_class: classes } = decision.columns;
    const pinnedName = pinned === null ? null : className(pinned);
    const filtered = this.#filtered?.board === decision.board ? this.#filtered.hands : null;
    const order = hands.map((_, k) => k).filter((k) => (pinned === null || classes[k] === pinnedName) && (!filtered || filtered.has(hands[k])));
    const { value } = this.columns.find((column) => column.key === this.sort.column);
    const sortKey = (k) => value(k) ?? -Infinity;
    if (this.sort.column !== "hand") order.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : sortKey(a) > sortKey(b) ? -1 : 0));
    if (this.sort.reversed) order.reverse();
    this.#order = order;
    setText(this.count, `${order.length} of ${hands.length} hands${pinned === null ? "" : `, ${pinnedName}`}`);
    this.renderHead();
    this.draw();
  }

  renderHead() {
    const titles = this.columns.map(({ key, title, about }) => `${key} ${title} ${about ?? ""} ${this.sort.column} ${this.sort.reversed}`).join();
    if (titles !== this.titles) {
      this.titles = titles;
      this.head.replaceChildren(h("tr", { "aria-rowindex": 1 }, this.columns.map(({ key, title, about }) => {
        const sorted = key === this.sort.column ? (this.sort.reversed ? "ascending" : "descending") : null;
        return h("th", { "aria-sort": sorted, title: about }, h("button.quiet", { data: { key }, onclick: () => this.sortBy(key) }, title, sorted && (this.sort.reversed ? " ▴" : " ▾")));
      })));
    }
    const keys = this.columns.map(({ key }) => key).join();
    const previous = keys === this.keys ? this.sizes : [];
    const sizes = this.columns.map(({ width }, k) => Math.max(Math.ceil(width), previous[k] ?? 0));
    this.keys = keys;
    if (sizes.join() === this.sizes?.join()) return;
    this.sizes = sizes;
    this.widths.replaceChildren(...sizes.map((width, k) => h("col", { style: this.columns[k].key === "made_hand" ? {} : { width: `${width}px` } })));
    this.table.style.minWidth = `${sizes.reduce((sum, width) => sum + width, 0)}px`;
  }

  onScroll() {
    this.scrollOffset = this.scroll.scrollTop;
    this.draw(true);
  }

  sortBy(column) {
    this.sort = { column, reversed: this.sort.column === column && !this.sort.reversed };
    this.render();
  }

  /** Draw the visible rows, and empty space in place of the others; with `onlyIfMoved`, only if other rows have become visible. */
  draw(onlyIfMoved = false) {
    if (!this.columns) return;
    const total = this.#order.length;
    if (this.total !== total) {
      this.total = total;
      this.table.setAttribute("aria-rowcount", total + 1);
      this.scroll.style.setProperty("--rows", total);
    }
    const count = Math.ceil(this.viewport.height / ROW_HEIGHT) + 3 * ROW_STEP;
    const first = Math.max(0, Math.min(ROW_STEP * Math.floor(this.scrollOffset / ROW_HEIGHT / ROW_STEP) - ROW_STEP, total - count));
    const last = Math.min(total, first + count);
    if (onlyIfMoved && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const pool = this.#rowPool.get(this.columns.length) ?? [];
    this.#rowPool.set(this.columns.length, pool);
    while (pool.length < last - first) pool.push(h("tr", this.columns.map(({ kind, createContent }) => h(kind, createContent()))));
    const rows = pool.slice(0, last - first);
    this.above.style.height = `${first * ROW_HEIGHT}px`;
    this.below.style.height = `${(total - last) * ROW_HEIGHT}px`;
    const body = [first > 0 && this.above, ...rows, last < total && this.below].filter(Boolean);
    if (body.length !== this.body.childElementCount || body.some((row, k) => row !== this.body.children[k])) this.body.replaceChildren(...body);
    const letters = this.letters;
    rows.forEach((row, k) => this.fill(row, first + k, letters));
  }

  /** Number of letters that fit into the column of made hands, which gets the space the others leave. */
  get letters() {
    const others = this.columns.reduce((sum, { key }, k) => sum + (key === "made_hand" ? 0 : this.sizes[k]), 0);
    const minimum = this.sizes[this.columns.findIndex(({ key }) => key === "made_hand")];
    return Math.floor((Math.max(minimum, this.viewport.width - others) - PADDING) / LETTER_WIDTH);
  }

  fill(row, index, letters) {
    const k = this.#order[index];
    const name = this.decision.columns.hand[k];
    if (row.dataset.hand !== name) row.dataset.hand = name;
    if (row.ariaRowIndex !== String(index + 2)) row.ariaRowIndex = index + 2;
    this.columns.forEach(({ draw }, column) => draw(row.children[column], k, letters));
  }

  /** The whole table, with tabs between the columns. */
  get text() {
    const columns = this.columns.filter(({ text }) => text);
    const rows = this.#order.map((k) => columns.map(({ text }) => plainNumbers(text(k))));
    return [columns.map(({ key, title }) => (title === "EV" ? key.replace(/^ev$/, "EV") : title)), ...rows].map((row) => row.join("\t")).join("\n");
  }

  async copyRows() {
    if (await copyText(this.text)) flash(this.copyButton, "copied", "Copy");
  }

  /** Copy the whole table if nothing is selected. */
  onCopy(event) {
    if (!getSelection().isCollapsed) return;
    event.clipboardData.setData("text/plain", this.text);
    event.preventDefault();
    flash(this.copyButton, "copied", "Copy");
  }
}

/** Write the numbers of a text as other programs read them. */
const plainNumbers = (text) => text.replaceAll("−", "-").replace(/(\d),(?=\d{3})/g, "$1");

customElements.define("hand-table", HandTable);
