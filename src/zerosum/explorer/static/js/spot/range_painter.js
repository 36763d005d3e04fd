// Paint a range on the 13 by 13 grid: weights, suits, single combos, the best hands, or its text. `element.value = "22+,A2s+"`;
// sends a `change` event when the range changes.

import { Component, h } from "../base/element.js";
import { className } from "../components/hand_cells.js";
import { app } from "../base/store.js";
import { api } from "../base/api.js";
import { LatestRequest } from "../base/latest_request.js";
import { percent } from "../base/format.js";
import "./combo_picker.js";
import "./saved_ranges.js";

/** Milliseconds without typing after which the text is parsed. */
const PARSE_DELAY = 120;
const SUITS = ["s", "h", "d", "c"];
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

class RangePainter extends Component {
  #weights = new Array(1326).fill(0);
  #stroke = null;
  #isPressed = false;
  /** Resolves when the weights are those of the text. */
  #parsed = Promise.resolve();
  #suits = new Set(SUITS);
  #request = new LatestRequest();

  build() {
    const { hands, cells } = app.get("server");
    this.hands = hands;
    this.members = Array.from({ length: 169 }, () => []);
    cells.forEach((cell, hand) => this.members[cell].push(hand));
    this.cells = this.members.map((_, cell) => h("div.cell", { data: { cell } }, h("i"), h("b", className(cell)), h("span")));
    this.grid = h("div.cells", { role: "img", title: "Click or drag to paint; right click or long press for single hands", "aria-label": "range by class of hands" }, this.cells);
    this.brush = h("input", { type: "range", min: 0, max: 100, step: 5, value: 100, "aria-label": "weight of the brush", oninput: () => this.updateBrush() });
    this.weight = h("output", "100%");
    this.best = h("input", { type: "range", min: 0, max: 100, step: 0.5, value: 0, "aria-label": "best hands, in percent", oninput: () => this.chooseBest() });
    this.share = h("output");
    this.suits = SUITS.map((suit) => h("button", { class: `suit-${suit}`, data: { suit }, "aria-pressed": "true", title: "Paint hands of these suits only", onclick: () => this.toggleSuit(suit) }, SIGNS[suit]));
    this.text = h("textarea", { rows: 2, spellcheck: "false", "aria-label": this.title || "range", oninput: () => this.onInput() });
    this.message = h("p.bad", { role: "status" });
    this.combos = h("combo-picker", { hidden: true });
    this.combos.addEventListener("paint", (event) => this.paintHand(event.detail));
    this.savedRanges = h("saved-ranges");
    this.savedRanges.addEventListener("choose", (event) => this.choose(event.detail));
    this.savedRanges.text = () => this.text.value;
    this.replaceContent(
      this.grid,
      h("div.tools",
        h("label", h("span.label", "weight"), this.brush, this.weight),
        h("label", h("span.label", "best"), this.best, this.share),
        h("div.row", h("div.segmented", this.suits), h("span.grow"), h("button.quiet", { onclick: () => this.choose("random") }, "All"), h("button.quiet", { onclick: () => this.clear() }, "Clear"), this.savedRanges)),
      this.combos,
      this.text,
      this.message,
    );
    this.grid.addEventListener("pointerdown", (event) => this.startStroke(event));
    this.grid.addEventListener("pointermove", (event) => this.#stroke !== null && this.paint(event));
    this.listen(window, "pointerup", () => this.endStroke());
    this.grid.addEventListener("contextmenu", (event) => this.toggleCombos(event));
  }

  get value() {
    return this.text.value.trim();
  }

  set value(text) {
    this.text.value = text;
    this.parse(text, false);
  }

  /** Replace the range by that of a text. */
  choose(text) {
    this.text.value = text;
    this.parse(text, true);
  }

  clear() {
    this.#weights.fill(0);
    this.sendWeights();
  }

  onInput() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.parse(this.text.value, true, true), PARSE_DELAY);
  }

  chooseBest() {
    const share = Number(this.best.value);
    if (share < 0.5) this.clear();
    else this.choose(`${share}%`);
  }

  updateBrush() {
    this.weight.textContent = `${this.brush.value}%`;
    this.combos.weight = this.brush.value / 100;
  }

  toggleSuit(suit) {
    const allChosen = this.#suits.size === 4;
    if (allChosen) this.#suits = new Set([suit]);
    else if (this.#suits.has(suit)) this.#suits.delete(suit);
    else this.#suits.add(suit);
    if (!this.#suits.size) this.#suits = new Set(SUITS);
    for (const button of this.suits) button.setAttribute("aria-pressed", String(this.#suits.has(button.dataset.suit)));
  }

  /** The hands of a class that have only chosen suits. */
  handsToPaint(cell) {
    return this.members[cell].filter((hand) => this.#suits.has(this.hands[hand][1]) && this.#suits.has(this.hands[hand][3]));
  }

  async startStroke(event) {
    const cell = event.target.closest(".cell");
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    this.#isPressed = true;
    await this.weightsReady();
    const brush = this.brush.value / 100;
    const hands = this.handsToPaint(Number(cell.dataset.cell));
    this.#stroke = hands.length && hands.every((hand) => this.#weights[hand] === brush) ? 0 : brush;
    this.paint(event);
    if (!this.#isPressed) this.endStroke();
  }

  paint(event) {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");
    if (!cell || !this.grid.contains(cell)) return;
    const index = Number(cell.dataset.cell);
    for (const hand of this.handsToPaint(index)) this.#weights[hand] = this.#stroke;
    this.drawCell(index);
    if (this.combos.cell === index) this.showCombos(index);
  }

  endStroke() {
    this.#isPressed = false;
    if (this.#stroke === null) return;
    this.#stroke = null;
    this.sendWeights();
  }

  /** Open or close the combos of a class, on a right click or a long press. */
  toggleCombos(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    event.preventDefault();
    const index = Number(cell.dataset.cell);
    if (this.combos.cell === index && !this.combos.hidden) this.combos.hidden = true;
    else this.showCombos(index);
  }

  showCombos(cell) {
    this.combos.hidden = false;
    this.combos.render(cell, this.members[cell].map((hand) => ({ hand, name: this.hands[hand], weight: this.#weights[hand] })));
  }

  async paintHand({ hand, weight }) {
    await this.weightsReady();
    this.#weights[hand] = this.#weights[hand] === this.brush.value / 100 ? 0 : weight ?? this.brush.value / 100;
    this.showCombos(this.combos.cell);
    this.sendWeights();
  }

  /** Let the server write the weights as text. They stay as they are: painting may have gone on when the text arrives. */
  async sendWeights() {
    clearTimeout(this.timer);
    this.draw();
    if (this.#weights.some((weight) => weight > 0)) await this.request({ weights: this.#weights }, true, ({ text }) => (this.text.value = text));
    else {
      this.#request.abort();
      this.text.value = "";
      this.showShare({ share: 0 });
      this.dispatchEvent(new CustomEvent("change"));
    }
  }

  /** Let the server parse a text; `keepText` leaves it as the user types it. */
  parse(text, notify, keepText = false) {
    this.#parsed = this.request({ text }, notify, (range) => {
      this.#weights = range.weights;
      if (!keepText) this.text.value = range.text;
      this.draw();
    });
  }

  async weightsReady() {
    let parsed;
    do await (parsed = this.#parsed);
    while (parsed !== this.#parsed); // another text may have replaced it
  }

  async request(query, notify, apply) {
    try {
      const range = await this.#request.send((signal) => api.range(query, signal));
      if (!range) return;
      this.message.textContent = "";
      apply(range);
      this.showShare(range);
    } catch (error) {
      this.message.textContent = query.text?.trim() === "" ? "" : error.message;
    }
    if (notify) this.dispatchEvent(new CustomEvent("change"));
  }

  showShare({ share }) {
    this.share.textContent = percent(share);
    if (document.activeElement !== this.best) this.best.value = 100 * share;
  }

  draw() {
    for (let cell = 0; cell < 169; cell++) this.drawCell(cell);
  }

  drawCell(cell) {
    const members = this.members[cell];
    const mean = members.reduce((sum, hand) => sum + this.#weights[hand], 0) / members.length;
    const isEven = members.every((hand) => this.#weights[hand] === this.#weights[members[0]]);
    const [paint, , number] = this.cells[cell].children;
    paint.style.height = `${100 * mean}%`;
    number.textContent = mean > 0 && mean < 1 ? `${Math.round(100 * mean)}` : "";
    this.cells[cell].classList.toggle("in-range", mean > 0);
    this.cells[cell].classList.toggle("uneven", !isEven);
  }
}

customElements.define("range-painter", RangePainter);
