// The head of a run's page: what is solved, how far it is, its curve, what one can do. `element.run = run`.

import { Part, h, say } from "../lib/element.js";
import { duration, exploited } from "../lib/format.js";
import { stateOf } from "./run-state.js";
import "./run-actions.js";
import "./run-curve.js";

const OPEN = "rue.curve";

class RunStrip extends Part {
  build() {
    this.classList.add("panel");
    this.name_ = h("h1");
    this.state = h("span.state");
    this.reached = h("span.big", { data: { test: "reached" } });
    this.about = h("span.muted");
    this.error = h("p.sentence");
    this.actions = h("run-actions");
    this.curve = h("run-curve");
    this.fold = h("button.quiet", { onclick: () => this.turn(), "aria-label": "show or hide the curve" });
    this.addEventListener("refused", (event) => (this.error.textContent = event.detail));
    this.show(
      h("div.numbers", this.name_, this.reached, this.state, this.about),
      h("div.row", this.actions, this.fold),
      this.error,
      this.curve,
    );
    if (this.run_) this.tell();
    this.dress();
  }

  turn() {
    const open = localStorage.getItem(OPEN) === "1";
    localStorage.setItem(OPEN, open ? "0" : "1");
    this.dress();
  }

  dress() {
    const kept = localStorage.getItem(OPEN);
    const open = kept === null ? this.run_?.state !== "done" : kept === "1";
    this.curve.hidden = !open;
    this.fold.textContent = open ? "Hide curve" : "Curve";
  }

  get run() {
    return this.run_;
  }

  set run(run) {
    const first = !this.run_;
    this.run_ = run;
    if (this.name_) {
      this.tell();
      if (first) this.dress();
    }
  }

  tell() {
    const run = this.run_;
    say(this.name_, run.name);
    this.state.dataset.state = run.state;
    say(this.state, stateOf(run));
    say(this.error, run.error);
    if (run.curve) {
      say(this.reached, run.exploitability === null ? "" : exploited(run));
      say(this.about, `${run.algorithm} · ${run.iteration.toLocaleString("en")} iterations · ${duration(run.seconds)}`);
    }
    this.curve.run = run;
    this.actions.run = run;
  }
}

customElements.define("run-strip", RunStrip);
