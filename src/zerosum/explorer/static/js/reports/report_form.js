// Start, stop and resume a report: a spot that begins on a flop, the flops, the decision.

import { Component, h, setText } from "../base/element.js";
import { draft } from "../spot/spot_draft.js";
import { duration, parseInput } from "../base/format.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";
import { app } from "../base/store.js";

const LISTS = ["25", "50", "100", "200", "all"];
const DRAFT = "draft";

class ReportForm extends Component {
  build() {
    const { bundled, saved } = app.get("server").spots;
    const options = (kind, names) => names.map((name) => h("option", { value: `${kind} ${name}` }, name));
    const draftOption = draft.get("check")?.sizes ? [h("option", { value: DRAFT }, "The spot in Build")] : [];
    this.spot = h("select", { name: "report-spot" }, draftOption, h("optgroup", { label: "Bundled" }, options("bundled", bundled.filter((name) => name.startsWith("flop")))), saved.length ? h("optgroup", { label: "Saved" }, options("saved", saved)) : "");
    this.lists = h("datalist", { id: "report-lists" }, LISTS.map((value) => h("option", { value })));
    this.flops = h("input", { name: "report-flops", list: "report-lists", value: "25", spellcheck: "false" });
    this.line = h("input", { name: "report-line", placeholder: "first decision", spellcheck: "false" });
    this.until = h("input", { name: "report-until", value: "0.5" });
    this.start = h("button.primary", { onclick: () => this.startReport() }, "Start");
    this.stop = h("button", { hidden: true, onclick: () => this.attempt(() => api.stopReport()) }, "Stop");
    this.resume = h("button", { hidden: true, onclick: () => this.attempt(async () => app.set({ report: await api.resumeReport() })) }, "Resume");
    this.progress = h("progress", { hidden: true, max: "1" });
    this.status = h("span.muted", { role: "status" });
    this.message = h("p.message", { role: "alert" });
    const field = (title, input) => h("label", h("span.label", title), input);
    this.classList.add("panel");
    this.replaceContent(
      h("div.fields", field("Spot", this.spot), field("Flops: 25, 50, 100, 200, all, or a list", this.flops), field("Decision", this.line), field("Solve to, % of the pot", this.until), this.start),
      this.lists,
      h("div.row", this.stop, this.resume, this.progress, this.status),
      this.message,
    );
    this.subscribe(app, "report", (report) => this.render(report));
  }

  async startReport() {
    await this.attempt(async () => {
      const [kind, ...name] = this.spot.value.split(" ");
      const spot = kind === DRAFT ? draft.get("spot") : await api.spot(kind, name.join(" "));
      const until = parseInput(this.until.value);
      const report = await api.startReport({ spot, flops: this.flops.value, line: this.line.value.trim(), until: typeof until === "number" ? `${until}%` : until });
      app.set({ report });
    });
  }

  render(report) {
    const running = report?.state === "running";
    this.start.disabled = running;
    this.stop.hidden = this.progress.hidden = !running;
    this.resume.hidden = report?.state !== "stopped";
    if (!report) return;
    this.progress.value = report.of ? report.done / report.of : 0;
    const timeLeft = report.remaining === null ? "" : `, about ${duration(report.remaining)} left`;
    setText(this.status, running ? `${report.name}: ${report.done} of ${report.of} flops${timeLeft}` : report.state === "stopped" ? `${report.name} was stopped after ${report.done} of ${report.of} flops` : "");
    if (report.state === "failed") setText(this.message, report.error);
    if (this.previousState === "running" && !running && report.state !== "failed" && report.done) navigate(formatAddress("reports", report.name));
    this.previousState = report.state;
  }
}

customElements.define("report-form", ReportForm);
