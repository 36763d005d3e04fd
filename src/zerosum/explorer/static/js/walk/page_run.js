// The page of a run: header, line, grid, panels.

import { Component, h, setText } from "../base/element.js";
import { formatAddress } from "../base/router.js";
import { app, findRun } from "../base/store.js";
import { walk } from "./walk_state.js";
import "../runs/run_header.js";
import "./line_bar.js";
import "./action_bar.js";
import "./copy_menu.js";
import "./next_card_picker.js";
import "./hand_group_table.js";
import "./hand_table.js";
import "./range_grid.js";
import "./range_comparison.js";
import "../walk_tools/lock_editor.js";
import "../walk_tools/run_comparison.js";
import "../walk_tools/runout_report.js";
import "../components/tab_panel.js";
import "./walk_shortcuts.js";

/** A running run is refreshed after a share of the seconds it has taken, but at least and at most these. */
const [MIN_INTERVAL, MAX_INTERVAL, INTERVAL_SHARE] = [5, 30, 0.1];

const HALTED_STATES = ["paused", "stopped", "done"];

/** The panels beside the grid: a new one is an element and a line here. */
export const TABS = [
  { name: "hands", title: "Hands", element: "hand-table" },
  { name: "groups", title: "Made hands and draws", element: "hand-group-table" },
  { name: "ranges", title: "Both ranges", element: "range-comparison" },
  { name: "runouts", title: "Runouts", element: "runout-report" },
  { name: "lock", title: "Lock", element: "lock-editor" },
  { name: "compare", title: "Compare", element: "run-comparison" },
];

class PageRun extends Component {
  build() {
    this.header = h("run-header");
    this.message = h("p.message", { role: "status" });
    this.notReady = h("p.muted", { hidden: true }, "The strategy appears here as soon as there is one.");
    this.loading = h("p.muted.pulse", { role: "status", hidden: true }, "Loading the strategy…");
    this.side = h("tab-panel.panel", { keep: "zerosum.tab", props: { data: TABS } });
    this.grid = h("div.side", h("range-grid"));
    this.decision = h("div.walk", this.grid, h("div.side", h("action-bar.panel"), this.side));
    this.ranges = h("range-comparison.panel");
    this.deck = h("div.side", h("next-card-picker.panel"), h("runout-report.panel", { folded: true }));
    this.line = h("line-bar");
    this.trainLink = h("a.button", { title: "Play hands from here against the solution" }, "Train");
    this.top = h("div.row", h("div.grow", this.line), h("copy-menu"), this.trainLink);
    this.replaceContent(this.header, this.message, this.notReady, this.loading, this.top, h("div.between", this.deck, this.ranges), this.decision, h("walk-shortcuts"));
    this.subscribe(app, "route", (route) => route.page === "run" && this.open(route));
    this.subscribe(app, "runs", () => this.render());
    this.subscribe(walk, "error", () => this.updateVisibility());
    this.subscribe(walk, "isSlow", (isSlow) => (this.loading.hidden = !isSlow));
    this.subscribe(walk, "view", () => this.updateVisibility());
    this.whileConnected(() => {
      const timer = setInterval(() => this.refresh(), 1000 * MIN_INTERVAL);
      return () => clearInterval(timer);
    });
  }

  open({ parts: [id, line] }) {
    this.key = id;
    this.lastState = null;
    this.nextRefresh = 0;
    this.pendingLine = line ?? "";
    if (walk.get("run") !== id) walk.set({ run: null, view: null, position: "", error: "" });
    this.render();
  }

  render() {
    const run = findRun(this.key);
    this.header.hidden = !run;
    if (!run) {
      this.pendingLine ??= walk.fullLine.join(",");
      walk.set({ run: null, view: null, position: "", error: "" });
      return this.updateVisibility();
    }
    if (this.header.data !== run) this.header.data = run;
    const ready = isWalkable(run);
    this.notReady.hidden = ready || run.state === "failed" || !run.spot;
    if (ready && this.pendingLine !== null) {
      const line = this.pendingLine;
      this.pendingLine = null;
      walk.open(this.key, line.split(",").filter(Boolean));
    } else if (this.lastState !== null && this.lastState !== run.state && HALTED_STATES.includes(run.state)) walk.refreshFinal();
    this.lastState = run.state;
  }

  /** Refresh the view of a running run. */
  refresh() {
    const run = findRun(this.key);
    if (run?.state !== "running" || !isWalkable(run) || document.hidden) return;
    if (walk.get("view") && run.seconds < this.nextRefresh) return;
    this.nextRefresh = run.seconds + Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, INTERVAL_SHARE * run.seconds));
    walk.refreshLive();
  }

  updateVisibility() {
    const view = walk.get("view");
    const last = view?.steps.at(-1);
    this.top.hidden = !view;
    if (view) this.trainLink.href = formatAddress("train", this.key, view.line.join(","));
    this.decision.hidden = !view?.decision;
    this.ranges.hidden = !last || last.kind === "decision";
    this.deck.hidden = last?.kind !== "card";
    const missing = this.key && !findRun(this.key) ? `Run ${this.key} does not exist any more.` : "";
    const unreached = last?.kind === "decision" && !view.decision ? "No hand reaches this decision." : "";
    setText(this.message, missing || walk.get("error") || unreached);
  }
}

const isWalkable = (run) => run.spot && run.iteration > 0 && run.state !== "preparing" && run.state !== "failed";

customElements.define("page-run", PageRun);
