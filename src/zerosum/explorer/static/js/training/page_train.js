// The page Train: play hands of a solved spot against the solution; every answer is graded by the EV it loses.

import { Component, h } from "../base/element.js";
import { formatAddress, navigate } from "../base/router.js";
import { app, findRun } from "../base/store.js";
import { trainingState } from "./training_state.js";
import "./training_hand.js";
import "./training_score.js";

const SEATS = [
  ["both", "Both seats"],
  ["oop", "Out of position"],
  ["ip", "In position"],
];

class PageTrain extends Component {
  build() {
    this.runs = h("select", { "aria-label": "run to train with", onchange: () => navigate(formatAddress("train", this.runs.value)) });
    this.seat = h("select", { "aria-label": "seat", name: "seat" }, SEATS.map(([value, title]) => h("option", { value }, title)));
    this.line = h("input", { name: "line", placeholder: "the start, or a line such as check, bet50", "aria-label": "line after which hands begin", autocomplete: "off", spellcheck: "false" });
    this.start = h("button.primary", { data: { do: "start" }, onclick: () => this.startTraining() }, "Start");
    this.noRuns = h("p.muted", "No spot has been solved yet. ", h("a", { href: formatAddress("build") }, "Build one"), " to train with.");
    this.message = h("p.message", { role: "alert" });
    this.content = h("div.training", h("training-hand"), h("training-score"));
    this.form = h("div.panel.options", h("div.row", h("label.grow", h("span.label", "Run"), this.runs), h("label", h("span.label", "Seat"), this.seat), h("label.grow", h("span.label", "Hands begin after"), this.line), this.start));
    this.replaceContent(h("h1", "Train"), this.noRuns, this.form, this.message, this.content);
    this.subscribe(app, "runs", () => this.updateRunList());
    this.subscribe(app, "route", (route) => route.page === "train" && this.open(route.parts));
    this.subscribe(trainingState, "error", (error) => (this.message.textContent = error));
    this.subscribe(trainingState, "training", (training) => this.render(training));
  }

  /** List the runs that have a strategy to train against. */
  updateRunList() {
    const runs = app.get("runs").filter((run) => run.spot && run.iteration > 0 && run.state !== "failed" && run.state !== "preparing");
    const key = runs.map((run) => `${run.id} ${run.name}`).join();
    if (key === this.listedKey) return;
    this.listedKey = key;
    this.runs.replaceChildren(...runs.map((run) => h("option", { value: run.id }, run.name)));
    if (trainingState.get("run")) this.runs.value = trainingState.get("run");
    this.noRuns.hidden = runs.length > 0;
    this.form.hidden = !runs.length;
    if (!trainingState.get("run") && runs.length && app.get("route").page === "train") this.open(app.get("route").parts);
  }

  open([id, line]) {
    const run = id ?? trainingState.get("run") ?? this.runs.value;
    if (line !== undefined) this.line.value = line;
    if (!run || !findRun(run)) {
      if (id) this.message.textContent = `Run ${id} does not exist any more.`;
      return;
    }
    this.runs.value = run;
    trainingState.open(run);
  }

  startTraining() {
    this.start.blur(); // so that Enter deals the next hand instead
    trainingState.start({ seat: this.seat.value, line: this.line.value.trim().split(/\s*,\s*/).filter(Boolean).join(",") });
  }

  render(training) {
    this.content.hidden = !training;
    this.start.textContent = training ? "Restart" : "Start";
    this.start.classList.toggle("primary", !training);
    if (training) {
      this.seat.value = training.seat;
      this.line.value = training.line.join(",");
    }
  }
}

customElements.define("page-train", PageTrain);
