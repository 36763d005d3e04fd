// The combos of one class of hands with their weights; a `paint` event tells which one was clicked.

import { Part, h } from "../lib/element.js";
import { className } from "../lib/cells.js";
import "./play-card.js";

class ComboPicker extends Part {
  cell = null;

  tell(cell, combos) {
    this.cell = cell;
    this.show(
      h("div.row", h("h3.grow", `${className(cell)}, hand by hand`), h("button.quiet", { "aria-label": "close", onclick: () => (this.hidden = true) }, "✕")),
      h("div.combos", combos.map(({ hand, name, weight }) =>
        h("button", { data: { hand: name }, "aria-pressed": String(weight > 0), onclick: () => this.dispatchEvent(new CustomEvent("paint", { detail: { hand } })) },
          h("board-cards", { board: name }), h("span.muted", weight > 0 ? `${Math.round(100 * weight)}%` : "–")))),
    );
  }
}

customElements.define("combo-picker", ComboPicker);
