// Infosets of a run, filtered by text: `element.data = answer of /api/runs/ID/infosets`.

import { Component, h } from "../base/element.js";
import { percent } from "../base/format.js";
import { labelledMixBar } from "../components/mix_bar.js";

class InfosetTable extends Component {
  build() {
    this.count = h("p.muted");
    this.rows = h("tbody");
    this.replaceContent(this.count, h("div.scroll", h("table", h("thead", h("tr", ["", "infoset", "strategy", "reach"].map((name) => h("th", name)))), this.rows)));
  }

  render({ count, total, rows }) {
    const limit = rows.length < count ? `, showing the first ${rows.length}` : "";
    this.count.textContent = `${count.toLocaleString("en")} of ${total.toLocaleString("en")} infosets${limit}`;
    this.rows.replaceChildren(...rows.map((row) => h("tr", { data: { infoset: row.infoset } }, h("td", h("span.infoset", h(`i.player-${row.player}`, row.player))), h("td.name", row.infoset), h("td", labelledMixBar(row)), h("td.number", { title: "probability that the player's own actions lead here" }, percent(row.reach, 2)))));
  }
}

customElements.define("infoset-table", InfosetTable);
