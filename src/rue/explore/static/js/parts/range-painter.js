// A range, painted: 13 by 13 classes, weights, suits and single combos, the best x%, and the text both ways.
// `element.value = "22+,A2s+"`; a `change` event tells when it has become another one.

import { Part, h } from "../lib/element.js";
import { className } from "../lib/cells.js";
import { app } from "../lib/store.js";
import { api } from "../lib/protocol.js";
import { percent } from "../lib/format.js";
import "./combo-picker.js";
import "./range-shelf.js";

const PAUSE = 120;
const SUITS = ["s", "h", "d", "c"];
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

class RangePainter extends Part {
  #weights = new Array(1326).fill(0);
  #stroke = null;
  #suits = new Set(SUITS);
  #asking = null;

  build() {
    const { hands, cells } = app.get("server");
    this.hands = hands;
    this.members = Array.from({ length: 169 }, () => []);
    cells.forEach((cell, hand) => this.members[cell].push(hand));
    this.cells = this.members.map((_, cell) => h("div.cell", { data: { cell } }, h("i"), h("b", className(cell)), h("span")));
    this.grid = h("div.cells", { role: "img", title: "Click or drag to paint; the other button, or a long press, opens single hands", "aria-label": "the range by class of hands" }, this.cells);
    this.brush = h("input", { type: "range", min: 0, max: 100, step: 5, value: 100, "aria-label": "weight of the brush", oninput: () => this.brushed() });
    this.weight = h("output", "100%");
    this.best = h("input", { type: "range", min: 0, max: 100, step: 0.5, value: 0, "aria-label": "the best hands, in percent", oninput: () => this.top() });
    this.share = h("output");
    this.suits = SUITS.map((suit) => h("button", { class: `suit-${suit}`, data: { suit }, "aria-pressed": "true", title: "Paint hands of these suits only", onclick: () => this.turnSuit(suit) }, SIGNS[suit]));
    this.text = h("textarea", { rows: 2, spellcheck: "false", "aria-label": this.title || "range", oninput: () => this.typed() });
    this.sentence = h("p.bad", { role: "status" });
    this.combos = h("combo-picker", { hidden: true });
    this.combos.addEventListener("paint", (event) => this.paintHand(event.detail));
    this.shelf = h("range-shelf");
    this.shelf.addEventListener("choose", (event) => this.choose(event.detail));
    this.shelf.text = () => this.text.value;
    this.show(
      this.grid,
      h("div.tools",
        h("label", h("span.label", "weight"), this.brush, this.weight),
        h("label", h("span.label", "best"), this.best, this.share),
        h("div.row", h("div.segmented", this.suits), h("span.grow"), h("button.quiet", { onclick: () => this.choose("random") }, "All"), h("button.quiet", { onclick: () => this.clear() }, "Clear"), this.shelf)),
      this.combos,
      this.text,
      this.sentence,
    );
    this.grid.addEventListener("pointerdown", (event) => this.begin(event));
    this.grid.addEventListener("pointermove", (event) => this.#stroke !== null && this.paint(event));
    this.listen(window, "pointerup", () => this.end());
    this.grid.addEventListener("contextmenu", (event) => this.open(event));
  }

  get value() {
    return this.text.value.trim();
  }

  set value(text) {
    this.text.value = text;
    this.ask({ text }, false);
  }

  /** Another range as a text. */
  choose(text) {
    this.text.value = text;
    this.ask({ text }, true);
  }

  clear() {
    this.#weights.fill(0);
    this.painted();
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask({ text: this.text.value }, true, true), PAUSE);
  }

  top() {
    const share = Number(this.best.value);
    if (share < 0.5) this.clear();
    else this.choose(`${share}%`);
  }

  brushed() {
    this.weight.textContent = `${this.brush.value}%`;
    this.combos.weight = this.brush.value / 100;
  }

  turnSuit(suit) {
    const only = this.#suits.size === 4;
    if (only) this.#suits = new Set([suit]);
    else if (this.#suits.has(suit)) this.#suits.delete(suit);
    else this.#suits.add(suit);
    if (!this.#suits.size) this.#suits = new Set(SUITS);
    for (const button of this.suits) button.setAttribute("aria-pressed", String(this.#suits.has(button.dataset.suit)));
  }

  /** The hands of a class that the chosen suits leave. */
  wanted(cell) {
    return this.members[cell].filter((hand) => this.#suits.has(this.hands[hand][1]) && this.#suits.has(this.hands[hand][3]));
  }

  begin(event) {
    const cell = event.target.closest(".cell");
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    const brush = this.brush.value / 100;
    const hands = this.wanted(Number(cell.dataset.cell));
    this.#stroke = hands.length && hands.every((hand) => this.#weights[hand] === brush) ? 0 : brush;
    this.paint(event);
  }

  paint(event) {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");
    if (!cell || !this.grid.contains(cell)) return;
    const place = Number(cell.dataset.cell);
    for (const hand of this.wanted(place)) this.#weights[hand] = this.#stroke;
    this.drawCell(place);
    if (this.combos.cell === place) this.showCombos(place);
  }

  end() {
    if (this.#stroke === null) return;
    this.#stroke = null;
    this.painted();
  }

  /** The combos of a class, by the other button of the mouse or a long press. */
  open(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    event.preventDefault();
    const place = Number(cell.dataset.cell);
    if (this.combos.cell === place && !this.combos.hidden) this.combos.hidden = true;
    else this.showCombos(place);
  }

  showCombos(place) {
    this.combos.hidden = false;
    this.combos.tell(place, this.members[place].map((hand) => ({ hand, name: this.hands[hand], weight: this.#weights[hand] })));
  }

  paintHand({ hand, weight }) {
    this.#weights[hand] = this.#weights[hand] === this.brush.value / 100 ? 0 : weight ?? this.brush.value / 100;
    this.showCombos(this.combos.cell);
    this.painted();
  }

  painted() {
    this.draw();
    if (this.#weights.some((weight) => weight > 0)) this.ask({ weights: this.#weights }, true);
    else {
      this.#asking?.abort();
      this.text.value = "";
      this.told({ share: 0 });
      this.dispatchEvent(new CustomEvent("change"));
    }
  }

  async ask(asked, tell, typed = false) {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const found = await api.range(asked, asking.signal);
      if (asking.signal.aborted) return;
      this.sentence.textContent = "";
      this.#weights = found.weights;
      if (!typed) this.text.value = found.text;
      this.draw();
      this.told(found);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.sentence.textContent = asked.text?.trim() === "" ? "" : error.message;
    }
    if (tell) this.dispatchEvent(new CustomEvent("change"));
  }

  told({ share }) {
    this.share.textContent = percent(share);
    if (document.activeElement !== this.best) this.best.value = 100 * share;
  }

  draw() {
    for (let cell = 0; cell < 169; cell++) this.drawCell(cell);
  }

  drawCell(cell) {
    const members = this.members[cell];
    const mean = members.reduce((sum, hand) => sum + this.#weights[hand], 0) / members.length;
    const even = members.every((hand) => this.#weights[hand] === this.#weights[members[0]]);
    const [paint, , number] = this.cells[cell].children;
    paint.style.height = `${100 * mean}%`;
    number.textContent = mean > 0 && mean < 1 ? `${Math.round(100 * mean)}` : "";
    this.cells[cell].classList.toggle("there", mean > 0);
    this.cells[cell].classList.toggle("uneven", !even);
  }
}

customElements.define("range-painter", RangePainter);
