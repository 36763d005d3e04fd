// What made hands and draws do and earn.

import { Part, h } from "../lib/element.js";
import { split } from "../lib/cells.js";
import { action, percent, plain } from "../lib/format.js";
import { walk } from "../lib/walk.js";

class GroupTable extends Part {
  build() {
    this.watch(walk, "view", (view) => view?.decision && this.tell(view.decision));
  }

  tell(decision) {
    const { choices, judged } = decision;
    const head = h("thead", h("tr", h("th", ""), h("th", "of all"), h("th", "plays"), choices.map(({ name, label }) => h("th", { title: label }, action(name))), judged && h("th", "Equity"), judged && h("th", "EV")));
    this.show(h("div.scroll", h("table", head, this.body("Made hands", decision.made, decision), this.body("Draws", decision.draws, decision))));
  }

  body(title, groups, { choices, judged, decimals }) {
    const colours = choices.map(({ colour }) => colour);
    const rows = groups.name.map((name, k) =>
      h("tr",
        h("td", name),
        h("td", percent(groups.share[k])),
        h("td", h("div.mix", { style: { background: split(groups.strategy.map((column) => column[k]), colours) } })),
        choices.map((_, a) => h("td", percent(groups.strategy[a][k], 0))),
        judged && h("td", percent(groups.equity[k])),
        judged && h("td", h("b", plain(groups.ev[k], decimals)))));
    return h("tbody", h("tr.title", h("th", { colspan: 3 + choices.length + (judged ? 2 : 0) }, title)), rows);
  }
}

customElements.define("group-table", GroupTable);
