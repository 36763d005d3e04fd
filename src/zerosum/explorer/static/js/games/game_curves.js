// The curves of a game's runs, over iterations, time or nodes.

import { Component, flash, h, press, segmented } from "../base/element.js";
import { app } from "../base/store.js";
import { gameState } from "./game_state.js";
import { copyText, saveFile } from "../base/download.js";
import { api } from "../base/api.js";
import { isBusy } from "../runs/run_state.js";
import "./run_table.js";
import "../components/line_chart.js";

const AXES = [
  { name: "iterations", title: "iterations", column: 0 },
  { name: "seconds", title: "time (s)", column: 1 },
  { name: "nodes", title: "nodes touched", column: 3 },
];

const NO_CURVE = "Sampling without enumerating the game gives no exploitability, so there is no curve; the strategy is under Tree.";

class GameCurves extends Component {
  build() {
    this.chart = h("line-chart");
    this.axes = segmented("axis", AXES.map(({ name }) => [name, name]), (axis) => gameState.set({ axis }), "horizontal axis");
    this.message = h("span.muted", { role: "status" });
    this.stop = h("button", { onclick: () => this.stopAll() }, "Stop all");
    this.tools = h("span.row",
      h("button", { onclick: () => this.attempt(async () => (await copyText(await this.csv())) && flash(this.message, "copied")) }, "Copy CSV"),
      h("button", { onclick: () => this.attempt(async () => saveFile(await this.csv(), "curves.csv", "text/csv")) }, "Save CSV"),
      h("button", { onclick: () => saveFile(this.chart.svgText(), "curves.svg", "image/svg+xml") }, "Save SVG"));
    this.replaceContent(h("div.row", this.axes, h("span.grow"), this.message, this.stop, this.tools), this.chart, h("run-table"));
    this.subscribe(app, "runs", () => this.render());
    this.subscribe(gameState, "estimate", () => this.render());
    this.subscribe(gameState, "hidden", () => this.render());
    this.subscribe(gameState, "axis", () => this.render());
  }

  async csv() {
    return (await api.curves(gameState.runs().map((run) => run.id))).text;
  }

  /** Stop all runs, including those that are still being created. */
  async stopAll() {
    await gameState.started;
    const unfinished = gameState.runs().filter((run) => isBusy(run) || run.state === "paused");
    await Promise.allSettled(unfinished.map((run) => api.stopRun(run.id)));
  }

  render() {
    const axis = AXES.find(({ name }) => name === gameState.get("axis"));
    press(this.axes, axis.name);
    const runs = gameState.runs();
    const hidden = gameState.get("hidden");
    this.tools.hidden = !runs.length;
    this.stop.hidden = !runs.some(isBusy);
    const lines = runs.map((run, style) => ({ id: run.id, name: run.algorithm, style, points: (run.curve ?? []).map((point) => [point[axis.column], point[2]]) }));
    this.chart.data = {
      lines: lines.filter((line) => !hidden.has(line.id)),
      x: { title: axis.title, log: true },
      y: { title: `exploitability (${runs[0]?.measure ?? "units of payoff"})`, log: true },
      emptyText: runs.length && !runs.some((run) => run.has_exploitability) ? NO_CURVE : runs.length ? "No curve yet." : "Choose algorithms and press Run: their curves are drawn here as they are computed.",
    };
  }
}

customElements.define("game-curves", GameCurves);
