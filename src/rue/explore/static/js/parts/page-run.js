// A run: its head, and the walk through its strategy as far as it is solved.

import { Part, h } from "../lib/element.js";
import { app, runOf } from "../lib/store.js";
import { walk } from "../lib/walk.js";
import "./run-strip.js";
import "./deck-picker.js";
import "./line-bar.js";
import "./action-bar.js";
import "./range-grid.js";
import "./hand-table.js";
import "./walk-keys.js";

const EVERY = 2000;
/** Milliseconds between two looks at a run that goes on. */

class RunPage extends Part {
  build() {
    this.strip = h("run-strip");
    this.sentence = h("p.sentence", { role: "status" });
    this.wait = h("p.muted", { hidden: true }, "The strategy is shown here as soon as there is one.");
    this.point = h("div.walk", h("div.side", h("range-grid"), h("action-bar.panel")), h("div.side", h("hand-table.panel")));
    this.line = h("line-bar");
    this.show(this.strip, this.sentence, this.wait, this.line, h("deck-picker"), this.point, h("walk-keys"));
    this.watch(app, "route", (route) => route.page === "run" && this.open(route));
    this.watch(app, "runs", () => this.tell());
    this.watch(walk, "error", (text) => (this.sentence.textContent = text));
    this.watch(walk, "view", (view) => this.dress(view));
    this.during(() => {
      const timer = setInterval(() => this.again(), EVERY);
      return () => clearInterval(timer);
    });
  }

  open({ parts: [id, line] }) {
    this.key = id;
    this.looked = null;
    const run = runOf(id);
    this.tell();
    if (run && lookable(run)) this.look(line);
    else this.waiting = line ?? "";
  }

  look(line) {
    this.waiting = null;
    walk.open(this.key, (line ?? "").split(",").filter(Boolean));
  }

  tell() {
    const run = runOf(this.key);
    if (!run) {
      this.sentence.textContent = this.key ? `There is no run ${this.key} here any more.` : "";
      return;
    }
    this.strip.run = run;
    const ready = lookable(run);
    this.wait.hidden = ready || run.state === "failed";
    if (ready && this.waiting !== null && this.waiting !== undefined) this.look(this.waiting);
    if (this.looked !== null && this.looked !== run.state && run.state === "done") walk.refresh(true);
    this.looked = run.state;
  }

  /** Look again at a run that goes on. */
  again() {
    const run = runOf(this.key);
    if (run?.state === "running" && lookable(run) && !document.hidden) walk.refresh(walk.get("view") === null);
  }

  dress(view) {
    const decision = view?.decision;
    this.line.hidden = !view;
    this.point.hidden = !decision;
    if (view && !decision && view.steps.at(-1).kind === "decision") this.sentence.textContent = "No hand gets here.";
    else if (view) this.sentence.textContent = "";
  }
}

const lookable = (run) => run.spot && run.iteration > 0 && run.state !== "preparing" && run.state !== "failed";

customElements.define("page-run", RunPage);
