// The infosets of a run, filtered by text: `element.show_(answer of /api/runs/ID/infosets)`.

import { Part, h } from "../lib/element.js";
import { percent } from "../lib/format.js";

/** What is done at an infoset: a bar split by action, and the numbers. */
export function mixBar({ actions, colours, strategy }) {
  if (!strategy) return h("span.mixed.muted", actions.join(", "));
  const told = actions.map((action, k) => `${action} ${percent(strategy[k])}`);
  return h("span.mixed", { title: told.join(", ") }, h("span.bar", strategy.map((share, k) => h("i", { style: { width: `${100 * share}%`, background: colours[k] } }))), h("span.told", told.join(", ")));
}

class InfosetTable extends Part {
  build() {
    this.count = h("p.muted");
    this.rows = h("tbody");
    this.show(this.count, h("div.scroll", h("table", h("thead", h("tr", ["", "infoset", "strategy", "reach"].map((name) => h("th", name)))), this.rows)));
    if (this.found) this.tell();
  }

  set infosets(found) {
    this.found = found;
    if (this.rows) this.tell();
  }

  tell() {
    const { count, of, rows } = this.found;
    const shown = rows.length < count ? `, the first ${rows.length} are shown` : "";
    this.count.textContent = `${count.toLocaleString("en")} of ${of.toLocaleString("en")} infosets${shown}`;
    this.rows.replaceChildren(...rows.map((row) => h("tr", { data: { infoset: row.infoset } }, h("td", h("span.infoset", h(`i.player-${row.player}`, row.player))), h("td.name", row.infoset), h("td", mixBar(row)), h("td.number", { title: "the player's own part" }, percent(row.reach, 2)))));
  }
}

customElements.define("infoset-table", InfosetTable);
