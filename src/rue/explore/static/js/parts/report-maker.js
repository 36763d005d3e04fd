// A new report: a spot that begins on a flop, the flops, the decision; how far it is, and stopping it.

import { Part, h, say } from "../lib/element.js";
import { draft } from "../lib/draft.js";
import { duration, typed } from "../lib/format.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import { app } from "../lib/store.js";

const LISTS = ["25", "50", "100", "200", "all"];
const BUILT = "built";

class ReportMaker extends Part {
  build() {
    const { bundled, saved } = app.get("server").spots;
    const options = (kind, names) => names.map((name) => h("option", { value: `${kind} ${name}` }, name));
    const built = draft.get("found")?.sizes ? [h("option", { value: BUILT }, "the spot of Build")] : [];
    this.spot = h("select", { name: "report-spot" }, built, h("optgroup", { label: "Come along" }, options("bundled", bundled.filter((name) => name.startsWith("flop")))), saved.length ? h("optgroup", { label: "Saved" }, options("saved", saved)) : "");
    this.lists = h("datalist", { id: "report-lists" }, LISTS.map((value) => h("option", { value })));
    this.flops = h("input", { name: "report-flops", list: "report-lists", value: "25", spellcheck: "false" });
    this.line = h("input", { name: "report-line", placeholder: "the first decision", spellcheck: "false" });
    this.until = h("input", { name: "report-until", value: "0.5" });
    this.start = h("button.primary", { onclick: () => this.begin() }, "Make");
    this.stop = h("button", { hidden: true, onclick: () => this.ask(() => api.stopReport()) }, "Stop");
    this.further = h("button", { hidden: true, onclick: () => this.ask(async () => app.set({ report: await api.continueReport() })) }, "Go on");
    this.bar = h("progress", { hidden: true, max: "1" });
    this.said = h("span.muted", { role: "status" });
    this.error = h("p.sentence", { role: "alert" });
    const field = (title, input) => h("label", h("span.label", title), input);
    this.classList.add("panel");
    this.show(
      h("div.fields", field("Spot", this.spot), field("Flops: 25, 50, 100, 200, all, or typed", this.flops), field("Decision", this.line), field("Solved to, % of the pot", this.until), this.start),
      this.lists,
      h("div.row", this.stop, this.further, this.bar, this.said),
      this.error,
    );
    this.watch(app, "report", (report) => this.tell(report));
  }

  async begin() {
    await this.ask(async () => {
      const [kind, ...name] = this.spot.value.split(" ");
      const spot = kind === BUILT ? draft.get("spot") : await api.spot(kind, name.join(" "));
      const until = typed(this.until.value);
      const report = await api.newReport({ spot, flops: this.flops.value, line: this.line.value.trim(), until: typeof until === "number" ? `${until}%` : until });
      app.set({ report });
    });
  }

  async ask(request) {
    say(this.error, "");
    try {
      await request();
    } catch (error) {
      say(this.error, error.message);
    }
  }

  tell(report) {
    const running = report?.state === "running";
    this.start.disabled = running;
    this.stop.hidden = this.bar.hidden = !running;
    this.further.hidden = report?.state !== "stopped";
    if (!report) return;
    this.bar.value = report.of ? report.done / report.of : 0;
    const left = report.remaining === null ? "" : `, about ${duration(report.remaining)} left`;
    say(this.said, running ? `${report.name}: ${report.done} of ${report.of} flops${left}` : report.state === "stopped" ? `${report.name} was stopped: ${report.done} of ${report.of} flops are solved` : "");
    if (report.state === "failed") say(this.error, report.error);
    if (this.was === "running" && !running && report.state !== "failed" && report.done) go(address("reports", report.name));
    this.was = report.state;
  }
}

customElements.define("report-maker", ReportMaker);
