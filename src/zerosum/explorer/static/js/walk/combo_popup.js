// Popup: every combo of the class under the pointer, with its strategy and EV.

import { Component, h } from "../base/element.js";
import { className } from "../components/hand_cells.js";
import { barParts } from "../components/mix_bar.js";
import { actionLabel, percent, fixed } from "../base/format.js";
import { walk } from "./walk_state.js";
import "../components/playing_card.js";

const GAP = 8;

class ComboPopup extends Component {
  render(cell, anchor) {
    const decision = walk.get("view")?.decision;
    const members = decision && cell !== null ? decision.columns.hand_class.flatMap((name, k) => (name === className(cell) ? [k] : [])) : [];
    this.hidden = !members.length;
    if (this.hidden) return;
    const { columns, actions, has_ev: hasEv, decimals, groups: { class: classes } } = decision;
    const index = classes.group.indexOf(cell);
    const legend = actions.map(({ name, colour }, a) =>
      h("div", h("i.swatch", { style: { background: colour } }), h("span", actionLabel(name)), h("b", percent(classes.frequency[a][index])),
        hasEv && h("span.muted", fixed(classes.action_ev[a][index], decimals))));
    const combos = members.map((k) =>
      h("div.combo",
        h("board-cards", { board: columns.hand[k] }),
        h("div.mix", barParts(columns.frequency.map((shares) => shares[k]), actions.map(({ colour }) => colour))),
        h("span.muted", hasEv ? fixed(columns.ev[k], decimals) : "")));
    this.replaceContent(
      h("div.row", h("h2.grow", className(cell)), h("span.muted", `${fixed(classes.combos[index], 1)} hands`, hasEv ? ` · EV ${fixed(classes.ev[index], decimals)}` : "")),
      h("div.legend", legend),
      h("div.combos", combos),
    );
    this.moveBeside(anchor);
  }

  /** Place the popup beside the cell, inside the window. */
  moveBeside(anchor) {
    const cell = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this;
    const fitsRight = cell.right + GAP + width < innerWidth;
    this.style.left = `${Math.max(GAP, fitsRight ? cell.right + GAP : cell.left - GAP - width)}px`;
    this.style.top = `${Math.max(GAP, Math.min(cell.top, innerHeight - height - GAP))}px`;
  }
}

customElements.define("combo-popup", ComboPopup);
