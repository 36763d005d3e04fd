// The reports of the folder, as `rue report --out` leaves them or the page makes them: one decision on many flops or kinds of a spot.

import { Part, h } from "../lib/element.js";
import { copy } from "../lib/give.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import { app } from "../lib/store.js";
import "./report-maker.js";
import "./report-view.js";

class Reports extends Part {
  #latest = new Latest();

  build() {
    this.names = h("select", { "aria-label": "report", onchange: () => go(address("reports", this.names.value)) });
    this.csv = h("button", { onclick: () => this.copy() }, "Copy CSV");
    this.none = h("div.muted", h("p", "The same on the command line, also for variants of a spot and on a cluster:"), h("pre", ""));
    this.sentence = h("p.sentence", { role: "status" });
    this.title_ = h("h2");
    this.notes = h("p.muted");
    this.view = h("report-view");
    this.panel = h("section.panel", { hidden: true }, this.title_, this.notes, this.view);
    this.bar = h("div.row", h("h1", "Reports"), h("div.grow", this.names), this.csv);
    this.show(this.bar, h("details", { open: false }, h("summary", "New report"), h("report-maker"), this.none), this.sentence, this.panel);
    this.watch(app, "server", (server) => (this.none.lastElementChild.textContent = `rue report spot:flop --flops 25 --until 0.5% --out "${server?.folder ?? ""}/flops"`));
    this.watch(app, "route", (route) => route.page === "reports" && this.open(route.parts[0]));
    this.during(() => () => this.#latest.end());
  }

  async open(name) {
    try {
      const names = await api.reports();
      if (!names.length) this.querySelector("details").open = true;
      this.names.hidden = this.csv.hidden = !names.length;
      this.names.replaceChildren(...names.map((each) => h("option", { value: each }, each)));
      const chosen = name ?? names[0];
      if (chosen === undefined) return;
      this.names.value = chosen;
      this.chosen = chosen;
      const found = await this.#latest.ask((signal) => api.report(chosen, "data", signal));
      if (!found) return;
      this.sentence.textContent = "";
      this.title_.textContent = found.line ? `${found.title}: ${found.line}` : found.title;
      const missing = found.missing ? [`${found.missing} were not solved yet`] : [];
      this.notes.textContent = [...found.notes, ...missing].join("; ");
      this.panel.hidden = false;
      this.view.report = found;
    } catch (error) {
      this.sentence.textContent = error.message;
      this.panel.hidden = true;
    }
  }

  async copy() {
    try {
      if (await copy((await api.report(this.chosen, "csv")).text)) this.notes.textContent = "copied";
    } catch (error) {
      this.sentence.textContent = error.message;
    }
  }
}

customElements.define("page-reports", Reports);
