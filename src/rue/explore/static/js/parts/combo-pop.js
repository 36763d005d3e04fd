// All combos of the class under the pointer: how each plays and what it earns.

import { Part, h } from "../lib/element.js";
import { className } from "../lib/cells.js";
import { action, percent, plain } from "../lib/format.js";
import { walk } from "../lib/walk.js";
import "./play-card.js";

const GAP = 8;

class ComboPop extends Part {
  tell(cell, near) {
    const decision = walk.get("view")?.decision;
    const members = decision && cell !== null ? decision.hands.cell.flatMap((at, k) => (at === cell ? [k] : [])) : [];
    this.hidden = !members.length;
    if (this.hidden) return;
    const { hands, classes, choices, judged, decimals } = decision;
    const whole = classes.cell.indexOf(cell);
    const legend = choices.map(({ name, colour }, a) =>
      h("div", h("i.swatch", { style: { background: colour } }), h("span", action(name)), h("b", percent(classes.strategy[a][whole])),
        judged && h("span.muted", plain(classes.evs[a][whole], decimals))));
    const combos = members.map((k) =>
      h("div.combo",
        h("board-cards", { board: hands.name[k] }),
        h("div.mix", choices.map(({ colour }, a) => h("i", { style: { width: `${100 * hands.strategy[a][k]}%`, background: colour } }))),
        h("span.muted", judged ? plain(hands.ev[k], decimals) : "")));
    this.show(
      h("div.row", h("h2.grow", className(cell)), h("span.muted", `${plain(classes.weight[whole], 1)} hands`, judged ? ` · EV ${plain(classes.ev[whole], decimals)}` : "")),
      h("div.legend", legend),
      h("div.combos", combos),
    );
    this.place(near);
  }

  /** Beside the cell, inside the window. */
  place(near) {
    const cell = near.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this;
    const right = cell.right + GAP + width < innerWidth;
    this.style.left = `${Math.max(GAP, right ? cell.right + GAP : cell.left - GAP - width)}px`;
    this.style.top = `${Math.max(GAP, Math.min(cell.top, innerHeight - height - GAP))}px`;
  }
}

customElements.define("combo-pop", ComboPop);
