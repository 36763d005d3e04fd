// How often each action is taken at the decision, over the whole range.

import { Part, h } from "../lib/element.js";
import { action, chips, percent, position } from "../lib/format.js";
import { walk } from "../lib/walk.js";

class ActionBar extends Part {
  build() {
    this.watch(walk, "view", (view) => view?.decision && this.tell(view.decision));
  }

  tell({ player, choices, equity, pot }) {
    const parts = choices.map(({ label, frequency, colour }) => h("i", { title: `${action(label)} ${percent(frequency)}`, style: { width: `${100 * frequency}%`, background: colour } }));
    const legend = choices.map(({ label, frequency, combos, colour }) =>
      h("div", h("i", { style: { background: colour } }), h("span", action(label)), h("span", percent(frequency), " ", h("span.muted", chips(combos, 1)))));
    this.show(
      h("div.row", h("h2.grow", `${position(player)} to act`), h("span.muted", `pot ${chips(pot)}`, equity === null ? "" : ` · equity ${percent(equity)}`)),
      h("div.whole", parts),
      h("div.legend", legend),
    );
  }
}

customElements.define("action-bar", ActionBar);
