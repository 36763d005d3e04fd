// The combos of a class of hands with their weights; sends a `paint` event for the one that is clicked.

import { Component, h } from "../base/element.js";
import { className } from "../components/hand_cells.js";
import "../components/playing_card.js";

class ComboPicker extends Component {
  cell = null;

  render(cell, combos) {
    this.cell = cell;
    this.replaceContent(
      h("div.row", h("h3.grow", `${className(cell)}, hand by hand`), h("button.quiet", { "aria-label": "close", onclick: () => (this.hidden = true) }, "✕")),
      h("div.combos", combos.map(({ hand, name, weight }) =>
        h("button", { data: { hand: name }, "aria-pressed": String(weight > 0), onclick: () => this.dispatchEvent(new CustomEvent("paint", { detail: { hand } })) },
          h("board-cards", { board: name }), h("span.muted", weight > 0 ? `${Math.round(100 * weight)}%` : "–")))),
    );
  }
}

customElements.define("combo-picker", ComboPicker);
