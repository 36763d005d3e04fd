// A run: its head, and the walk through its strategy as far as it is solved.

import { Part, h, say } from "../lib/element.js";
import { address } from "../lib/router.js";
import { app, runOf } from "../lib/store.js";
import { walk } from "../lib/walk.js";
import "./run-strip.js";
import "./line-bar.js";
import "./action-bar.js";
import "./copy-menu.js";
import "./deck-picker.js";
import "./group-table.js";
import "./hand-table.js";
import "./range-grid.js";
import "./range-versus.js";
import "./lock-editor.js";
import "./run-compare.js";
import "./run-outs.js";
import "./tab-panel.js";
import "./walk-keys.js";

const [OFTEN, SELDOM, SHARE] = [5, 30, 0.1];
/** Seconds between two looks at a run that goes on: a share of those it has taken, between two ends. */

const HALTED = ["paused", "stopped", "done"];

/** What stands beside the grid; a new panel is an element and a line here. */
export const TABS = [
  { name: "hands", title: "Hands", element: "hand-table" },
  { name: "groups", title: "Made hands and draws", element: "group-table" },
  { name: "ranges", title: "Both ranges", element: "range-versus" },
  { name: "runouts", title: "Runouts", element: "run-outs" },
  { name: "lock", title: "Lock", element: "lock-editor" },
  { name: "compare", title: "Compare", element: "run-compare" },
];

class RunPage extends Part {
  build() {
    this.strip = h("run-strip");
    this.sentence = h("p.sentence", { role: "status" });
    this.wait = h("p.muted", { hidden: true }, "The strategy is shown here as soon as there is one.");
    this.reading = h("p.muted.pulse", { role: "status", hidden: true }, "Reading the strategy…");
    this.side = h("tab-panel.panel", { keep: "rue.tab", props: { tabs: TABS } });
    this.grid = h("div.side", h("range-grid"));
    this.point = h("div.walk", this.grid, h("div.side", h("action-bar.panel"), this.side));
    this.versus = h("range-versus.panel");
    this.deck = h("div.side", h("deck-picker.panel"), h("run-outs.panel", { folded: true }));
    this.line = h("line-bar");
    this.train = h("a.button", { title: "Play hands that begin here against the solution" }, "Train");
    this.top = h("div.row", h("div.grow", this.line), h("copy-menu"), this.train);
    this.show(this.strip, this.sentence, this.wait, this.reading, this.top, h("div.between", this.deck, this.versus), this.point, h("walk-keys"));
    this.watch(app, "route", (route) => route.page === "run" && this.open(route));
    this.watch(app, "runs", () => this.tell());
    this.watch(walk, "error", () => this.dress());
    this.watch(walk, "reading", (reading) => (this.reading.hidden = !reading));
    this.watch(walk, "view", () => this.dress());
    this.during(() => {
      const timer = setInterval(() => this.again(), 1000 * OFTEN);
      return () => clearInterval(timer);
    });
  }

  open({ parts: [id, line] }) {
    this.key = id;
    this.looked = null;
    this.next = 0;
    this.waiting = line ?? "";
    if (walk.get("run") !== id) walk.set({ run: null, view: null, point: "", error: "" });
    this.tell();
  }

  tell() {
    const run = runOf(this.key);
    this.strip.hidden = !run;
    if (!run) {
      this.waiting ??= walk.words.join(",");
      walk.set({ run: null, view: null, point: "", error: "" });
      return this.dress();
    }
    if (this.strip.run !== run) this.strip.run = run;
    const ready = lookable(run);
    this.wait.hidden = ready || run.state === "failed" || !run.spot;
    if (ready && this.waiting !== null) {
      const line = this.waiting;
      this.waiting = null;
      walk.open(this.key, line.split(",").filter(Boolean));
    } else if (this.looked !== null && this.looked !== run.state && HALTED.includes(run.state)) walk.renew();
    this.looked = run.state;
  }

  /** Look again at a run that goes on. */
  again() {
    const run = runOf(this.key);
    if (run?.state !== "running" || !lookable(run) || document.hidden) return;
    if (walk.get("view") && run.seconds < this.next) return;
    this.next = run.seconds + Math.min(SELDOM, Math.max(OFTEN, SHARE * run.seconds));
    walk.again();
  }

  dress() {
    const view = walk.get("view");
    const last = view?.steps.at(-1);
    this.top.hidden = !view;
    if (view) this.train.href = address("train", this.key, view.line.join(","));
    this.point.hidden = !view?.decision;
    this.versus.hidden = !last || last.kind === "decision";
    this.deck.hidden = last?.kind !== "card";
    const lost = this.key && !runOf(this.key) ? `There is no run ${this.key} here any more.` : "";
    const nobody = last?.kind === "decision" && !view.decision ? "No hand gets here." : "";
    say(this.sentence, lost || walk.get("error") || nobody);
  }
}

const lookable = (run) => run.spot && run.iteration > 0 && run.state !== "preparing" && run.state !== "failed";

customElements.define("page-run", RunPage);
