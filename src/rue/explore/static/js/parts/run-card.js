// A run in a list: what is solved, how far it is, a small curve. `element.run = run`.

import { Part, h, say } from "../lib/element.js";
import { duration, exploited } from "../lib/format.js";
import { runAddress } from "../lib/router.js";
import { stateOf } from "./run-state.js";
import "./run-actions.js";
import "./run-curve.js";
import "./play-card.js";

class RunCard extends Part {
  build() {
    this.classList.add("panel");
    this.title_ = h("a.title");
    this.state = h("span.state");
    this.about = h("span.muted");
    this.error = h("p.bad");
    this.curve = h("run-curve", { small: true });
    this.actions = h("run-actions", { removable: true });
    this.addEventListener("refused", (event) => (this.error.textContent = event.detail));
    this.show(h("div", this.title_, h("div.row", this.state, this.about), this.error), this.curve, this.actions);
    if (this.run_) this.tell();
  }

  set run(run) {
    if (run === this.run_) return;
    this.run_ = run;
    if (this.title_) this.tell();
  }

  tell() {
    const run = this.run_;
    say(this.title_, run.name);
    this.title_.href = runAddress(run);
    this.state.dataset.state = run.state;
    say(this.state, stateOf(run));
    say(this.error, run.error);
    const reached = run.iteration || (run.exploitability ?? null) !== null ? [exploited(run), `${run.iteration.toLocaleString("en")} iterations`, duration(run.seconds)] : [];
    say(this.about, run.curve ? [run.game, run.algorithm, ...reached].join(" · ") : "");
    this.curve.run = run;
    this.actions.run = run;
  }
}

customElements.define("run-card", RunCard);
