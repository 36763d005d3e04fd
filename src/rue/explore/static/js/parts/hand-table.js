// The hands of a decision, one by one: how they play and what they earn. A class that is pointed at or held filters it.

import { Part, h } from "../lib/element.js";
import { action, percent, signed } from "../lib/format.js";
import { className } from "../lib/cells.js";
import { walk } from "../lib/walk.js";

const MOST = 300;

class HandTable extends Part {
  build() {
    this.head = h("thead");
    this.rows = h("tbody");
    this.note = h("p.muted.note");
    this.show(h("div.scroll", h("table", this.head, this.rows)), this.note);
    this.watch(walk, "view", () => this.tell());
    this.watch(walk, "held", () => this.tell());
  }

  tell() {
    const decision = walk.get("view")?.decision;
    if (!decision) return;
    const { hands, choices } = decision;
    const colours = choices.map((choice) => choice.colour);
    const held = walk.get("held");
    const titles = ["Hand", "Reach", "Strategy", ...choices.map((choice) => action(choice.name)), "EV"];
    this.head.replaceChildren(h("tr", titles.map((title) => h("th", title))));
    const wanted = hands.name.map((_, k) => k).filter((k) => held === null || hands.cell[k] === held);
    this.rows.replaceChildren(...wanted.slice(0, MOST).map((k) => this.row(hands, colours, k)));
    const left = wanted.length - Math.min(wanted.length, MOST);
    this.note.textContent = wanted.length ? (left ? `${left} more hands` : "") : `no ${className(held)} here`;
  }

  row(hands, colours, k) {
    const shares = hands.strategy.map((column) => column[k]);
    const mix = h("div.mix", shares.map((share, a) => h("i", { style: { width: `${100 * share}%`, background: colours[a] } })));
    const cells = [h("td", hands.name[k]), h("td", percent(hands.reach[k], 0)), h("td", mix)];
    cells.push(...shares.map((share, a) => h("td", percent(share, 0), hands.evs && h("span.muted", ` ${signed(hands.evs[a][k], 1)}`))));
    return h("tr", cells, h("td", hands.ev ? signed(hands.ev[k], 1) : "…"));
  }
}

customElements.define("hand-table", HandTable);
