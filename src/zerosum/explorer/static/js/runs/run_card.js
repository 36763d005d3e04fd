// A run in the list: name, state, progress, a small curve. `element.data = run`.

import { Component, h, setText } from "../base/element.js";
import { duration, exploitabilityText } from "../base/format.js";
import { runAddress } from "../base/router.js";
import { stateText } from "./run_state.js";
import "./run_actions.js";
import "./run_curve.js";
import "../components/playing_card.js";

class RunCard extends Component {
  build() {
    this.classList.add("panel");
    this.title_ = h("a.title");
    this.state = h("span.state");
    this.summary = h("span.muted");
    this.error = h("p.bad");
    this.curve = h("run-curve", { small: true });
    this.actions = h("run-actions", { removable: true });
    this.addEventListener("request-error", (event) => (this.error.textContent = event.detail));
    this.replaceContent(h("div", this.title_, h("div.row", this.state, this.summary), this.error), this.curve, this.actions);
  }

  render(run) {
    setText(this.title_, run.name);
    this.title_.href = runAddress(run);
    this.state.dataset.state = run.state;
    setText(this.state, stateText(run));
    setText(this.error, run.error);
    const progress = run.iteration || (run.exploitability ?? null) !== null ? [exploitabilityText(run), `${run.iteration.toLocaleString("en")} iterations`, duration(run.seconds)] : [];
    setText(this.summary, run.curve ? [run.game, run.algorithm, ...progress].join(" · ") : "");
    this.curve.data = run;
    this.actions.data = run;
  }
}

customElements.define("run-card", RunCard);
