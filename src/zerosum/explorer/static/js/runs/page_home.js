// The page Runs: active runs, queued ones, those on disk.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { formatAddress } from "../base/router.js";
import "./run_card.js";

class PageHome extends Component {
  build() {
    this.list = h("div.runs");
    this.none = h("p.muted", "No runs yet. ", h("a", { href: formatAddress("build") }, "Build a spot"), " to start.");
    this.folder = h("span.muted");
    this.cards = new Map();
    this.replaceContent(h("div.row", h("h1", "Runs"), this.folder, h("span.grow"), h("a.button", { href: formatAddress("build") }, "Build a spot")), this.none, this.list);
    this.subscribe(app, "server", (server) => (this.folder.textContent = server?.folder ?? ""));
    this.subscribe(app, "runs", (runs) => this.render(runs));
  }

  render(runs) {
    this.none.hidden = runs.length > 0;
    const ids = new Set(runs.map((run) => run.id));
    for (const [id, card] of this.cards) {
      if (!ids.has(id)) {
        card.remove();
        this.cards.delete(id);
      }
    }
    runs.forEach((run, k) => {
      if (!this.cards.has(run.id)) this.cards.set(run.id, h("run-card"));
      const card = this.cards.get(run.id);
      if (card.data !== run) card.data = run;
      if (this.list.children[k] !== card) this.list.insertBefore(card, this.list.children[k] ?? null);
    });
  }
}

customElements.define("page-home", PageHome);
