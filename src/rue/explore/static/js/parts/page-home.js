// The runs: those on their way, those that wait, those on the disk.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { address } from "../lib/router.js";
import "./run-card.js";

class Home extends Part {
  build() {
    this.list = h("div.runs");
    this.none = h("p.muted", "Nothing is solved yet. ", h("a", { href: address("build") }, "Build a spot"), " to begin.");
    this.where = h("span.muted");
    this.cards = new Map();
    this.show(h("div.row", h("h1", "Runs"), this.where, h("span.grow"), h("a.button", { href: address("build") }, "Build a spot")), this.none, this.list);
    this.watch(app, "server", (server) => (this.where.textContent = server?.folder ?? ""));
    this.watch(app, "runs", (runs) => this.tell(runs));
  }

  tell(runs) {
    this.none.hidden = runs.length > 0;
    const kept = new Set(runs.map((run) => run.id));
    for (const [id, card] of this.cards) {
      if (!kept.has(id)) {
        card.remove();
        this.cards.delete(id);
      }
    }
    runs.forEach((run, k) => {
      if (!this.cards.has(run.id)) this.cards.set(run.id, h("run-card"));
      const card = this.cards.get(run.id);
      card.run = run;
      if (this.list.children[k] !== card) this.list.insertBefore(card, this.list.children[k] ?? null);
    });
  }
}

customElements.define("page-home", Home);
