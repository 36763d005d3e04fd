// The page Reports: the reports of the folder, from this page or from `zerosum report --out`.

import { Component, flash, h } from "../base/element.js";
import { copyText } from "../base/download.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";
import { app } from "../base/store.js";
import "./report_form.js";
import "./report_view.js";

class PageReports extends Component {
  #latest = this.latestRequest();

  build() {
    this.names = h("select", { "aria-label": "report", onchange: () => navigate(formatAddress("reports", this.names.value)) });
    this.csv = h("button", { onclick: () => this.copyCsv() }, "Copy CSV");
    this.commandHint = h("div.muted", h("p", "On the command line, which can also vary a spot and use a cluster:"), h("pre", ""));
    this.message = h("p.message", { role: "status" });
    this.title_ = h("h2");
    this.notes = h("p.muted");
    this.view = h("report-view");
    this.panel = h("section.panel", { hidden: true }, this.title_, this.notes, this.view);
    this.bar = h("div.row", h("h1", "Reports"), h("div.grow", this.names), this.csv);
    this.replaceContent(this.bar, h("details", { open: false }, h("summary", "New report"), h("report-form"), this.commandHint), this.message, this.panel);
    this.subscribe(app, "server", (server) => (this.commandHint.lastElementChild.textContent = `zerosum report spot:flop --flops 25 --until 0.5% --out "${server?.folder ?? ""}/flops"`));
    this.subscribe(app, "route", (route) => route.page === "reports" && this.open(route.parts[0]));
  }

  async open(name) {
    try {
      const names = await api.reports();
      if (!names.length) this.querySelector("details").open = true;
      this.names.hidden = this.csv.hidden = !names.length;
      this.names.replaceChildren(...names.map((value) => h("option", { value }, value)));
      const chosen = name ?? names[0];
      if (chosen === undefined) return;
      this.names.value = chosen;
      this.chosen = chosen;
      const report = await this.#latest.send((signal) => api.report(chosen, "data", signal));
      if (!report) return;
      this.message.textContent = "";
      this.title_.textContent = report.line ? `${report.title}: ${report.line}` : report.title;
      const missing = report.missing ? [`${report.missing} are not solved yet`] : [];
      this.notes.textContent = [...report.notes, ...missing].join("; ");
      this.panel.hidden = false;
      this.view.data = report;
    } catch (error) {
      this.message.textContent = error.message;
      this.panel.hidden = true;
    }
  }

  async copyCsv() {
    const report = await this.attempt(() => api.report(this.chosen, "csv"));
    if (report && (await copyText(report.text))) flash(this.csv, "copied", "Copy CSV");
  }
}

customElements.define("page-reports", PageReports);
