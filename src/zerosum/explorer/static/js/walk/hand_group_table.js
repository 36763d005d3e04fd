// Made hands and draws: share, strategy, EV.

import { Component, h } from "../base/element.js";
import { splitBackground } from "../components/hand_cells.js";
import { actionLabel, percent, fixed } from "../base/format.js";
import { walk } from "./walk_state.js";

class HandGroupTable extends Component {
  build() {
    this.subscribe(walk, "view", (view) => view?.decision && this.render(view.decision));
  }

  render(decision) {
    const { actions, groups, has_ev: hasEv } = decision;
    const head = h("thead", h("tr", h("th", ""), h("th", "of all"), h("th", "plays"), actions.map(({ name, label }) => h("th", { title: label }, actionLabel(name))), hasEv && h("th", "Equity"), hasEv && h("th", "EV")));
    this.replaceContent(h("div.scroll", h("table", head, this.body("Made hands", groups.made_hand, decision), this.body("Draws", groups.draw, decision))));
  }

  body(title, groups, { actions, has_ev: hasEv, decimals }) {
    const colours = actions.map(({ colour }) => colour);
    const rows = groups.name.map((name, k) =>
      h("tr",
        h("td", name),
        h("td", percent(groups.share[k])),
        h("td", h("div.mix", { style: { background: splitBackground(groups.frequency.map((shares) => shares[k]), colours) } })),
        actions.map((_, a) => h("td", percent(groups.frequency[a][k], 0))),
        hasEv && h("td", percent(groups.equity[k])),
        hasEv && h("td", h("b", fixed(groups.ev[k], decimals)))));
    return h("tbody", h("tr.title", h("th", { colspan: 3 + actions.length + (hasEv ? 2 : 0) }, title)), rows);
  }
}

customElements.define("hand-group-table", HandGroupTable);
