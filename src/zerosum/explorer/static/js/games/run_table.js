// The runs of a game, one row each: line style, progress, buttons.

import { Component, h, svg } from "../base/element.js";
import { app } from "../base/store.js";
import { duration, significant } from "../base/format.js";
import { gameState } from "./game_state.js";
import { lineStyle } from "../base/line_styles.js";
import { api } from "../base/api.js";
import { formatAddress } from "../base/router.js";
import { isBusy, stateText } from "../runs/run_state.js";

/** The button "More" resumes a run up to this many times its iterations. */
const MORE = 10;

class RunTable extends Component {
  build() {
    this.rows = h("tbody");
    this.message = h("p.bad", { role: "status" });
    this.scroll = h("div.scroll", h("table", h("thead", h("tr", ["", "algorithm", "iterations", "time", "nodes", "exploitability", "", ""].map((name) => h("th", name)))), this.rows));
    this.replaceContent(this.message, this.scroll);
    this.subscribe(app, "runs", () => this.render());
    this.subscribe(gameState, "estimate", () => this.render());
    this.subscribe(gameState, "hidden", () => this.render());
    this.listen(globalThis, "themechange", () => this.render());
  }

  render() {
    const runs = gameState.runs();
    this.scroll.hidden = !runs.length;
    const key = JSON.stringify([runs.map(({ id, algorithm }) => [id, algorithm]), [...gameState.get("hidden")], document.documentElement.dataset.theme]);
    if (key === this.key) runs.forEach((run, k) => this.update(run, this.rows.children[k]));
    else this.rows.replaceChildren(...runs.map((run, style) => this.row(run, style)));
    this.key = key;
  }

  row(run, style) {
    const hidden = gameState.get("hidden").has(run.id);
    const { colour, dash } = lineStyle(style);
    const line = h("button.quiet.line", { title: hidden ? "Show the line" : "Hide the line", "aria-pressed": String(!hidden), onclick: () => this.toggleLine(run.id) }, svg("svg", { viewBox: "0 0 30 6" }, svg("line", { x1: 0, x2: 30, y1: 3, y2: 3, stroke: hidden ? "var(--line)" : colour, "stroke-dasharray": dash || null })));
    const cells = Array.from({ length: 4 }, () => h("td.number"));
    const row = h("tr", { data: { run: run.id } }, h("td", line), h("td.name", run.algorithm), cells, h("td.state-cell"), h("td.buttons"));
    this.update(run, row);
    return row;
  }

  update(run, row) {
    const texts = [run.iteration.toLocaleString("en"), duration(run.seconds), run.nodes === null ? "–" : significant(run.nodes), significant(run.exploitability, 4)];
    row.querySelectorAll(".number").forEach((cell, k) => (cell.textContent = texts[k]));
    row.querySelector(".state-cell").replaceChildren(h("span.state", { data: { state: run.state }, title: run.error || null }, run.error || stateText(run)));
    if (row.dataset.state !== run.state) row.querySelector(".buttons").replaceChildren(...this.buttons(run));
    row.dataset.state = run.state;
  }

  buttons(run) {
    const isActive = isBusy(run);
    const isFinished = run.state === "done" || run.state === "stopped";
    const isExact = run.algorithm === "lp";
    return [
      isActive && this.button("Stop", () => api.stopRun(run.id)),
      run.state === "paused" && this.button("Resume", () => api.resumeRun(run.id)),
      isFinished && !isExact && this.button("More", () => api.resumeRun(run.id, { iterations: Math.max(100, (MORE - 1) * run.iteration) }), `Resume up to ${MORE} times the iterations`),
      (run.iteration > 0 || isFinished) && h("a.button", { href: formatAddress("games", gameState.get("text"), "tree", run.id) }, "Tree"),
      !isActive && this.button("×", () => api.deleteRun(run.id), "Delete the run from the disk"),
    ].filter(Boolean);
  }

  button(text, act, title) {
    return h("button", { title, onclick: () => this.attempt(act) }, text);
  }

  toggleLine(id) {
    const hidden = new Set(gameState.get("hidden"));
    if (!hidden.delete(id)) hidden.add(id);
    gameState.set({ hidden });
  }
}

customElements.define("run-table", RunTable);
