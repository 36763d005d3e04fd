// The header of a run's page: name, state, exploitability, curve, buttons. `element.data = run`.

import { Component, h, setText } from "../base/element.js";
import { duration, exploitabilityText } from "../base/format.js";
import { stateText } from "./run_state.js";
import "./run_actions.js";
import "./run_curve.js";

const OPEN = "zerosum.curve";

class RunHeader extends Component {
  build() {
    this.classList.add("panel");
    this.name_ = h("h1");
    this.state = h("span.state");
    this.exploitability = h("span.big", { data: { test: "exploitability" } });
    this.summary = h("span.muted");
    this.error = h("p.message");
    this.actions = h("run-actions");
    this.curve = h("run-curve");
    this.toggleButton = h("button.quiet", { onclick: () => this.toggleCurve(), "aria-label": "show or hide the curve" });
    this.addEventListener("request-error", (event) => (this.error.textContent = event.detail));
    this.replaceContent(
      h("div.numbers", this.name_, this.exploitability, this.state, this.summary),
      h("div.row", this.actions, this.toggleButton),
      this.error,
      this.curve,
    );
  }

  toggleCurve() {
    const open = localStorage.getItem(OPEN) === "1";
    localStorage.setItem(OPEN, open ? "0" : "1");
    this.updateCurve();
  }

  updateCurve() {
    const saved = localStorage.getItem(OPEN);
    const open = saved === null ? this.data.state !== "done" : saved === "1";
    this.curve.hidden = !open;
    this.toggleButton.textContent = open ? "Hide curve" : "Curve";
  }

  render(run) {
    if (!this.toggleButton.textContent) this.updateCurve();
    setText(this.name_, run.name);
    this.state.dataset.state = run.state;
    setText(this.state, stateText(run));
    setText(this.error, run.error);
    if (run.curve) {
      setText(this.exploitability, run.exploitability === null ? "" : exploitabilityText(run));
      setText(this.summary, `${run.algorithm} · ${run.iteration.toLocaleString("en")} iterations · ${duration(run.seconds)}`);
    }
    this.curve.data = run;
    this.actions.data = run;
  }
}

customElements.define("run-header", RunHeader);
