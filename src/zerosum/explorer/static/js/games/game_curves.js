// The curves of a game's runs, over iterations, time or nodes.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { gameState } from "./game_state.js";
import { copyText, saveFile } from "../base/download.js";
import { api } from "../base/api.js";
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
    this.axes = h("span.segmented", { role: "group", "aria-label": "horizontal axis" }, AXES.map(({ name }) => h("button", { data: { axis: name }, onclick: () => gameState.set({ axis: name }) }, name)));
    this.status = h("span.muted", { role: "status" });
    this.stop = h("button", { onclick: () => this.stopAll() }, "Stop all");
    const exportButton = (title, act) => h("button", { onclick: async () => {
      try {
        this.status.textContent = (await act()) ?? "";
      } catch (error) {
        this.status.textContent = error.message;
      }
    } }, title);
    this.tools = h("span.row",
      exportButton("Copy CSV", async () => (await copyText(await this.csv())) && "copied"),
      exportButton("Save CSV", async () => saveFile(await this.csv(), "curves.csv", "text/csv")),
      exportButton("Save SVG", async () => saveFile(this.chart.svgText(), "curves.svg", "image/svg+xml")));
    this.replaceContent(h("div.row", this.axes, h("span.grow"), this.status, this.stop, this.tools), this.chart, h("run-table"));
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
    const active = gameState.runs().filter((run) => ["running", "preparing", "queued", "paused"].includes(run.state));
    await Promise.allSettled(active.map((run) => api.stopRun(run.id)));
  }

  render() {
    const axis = AXES.find(({ name }) => name === gameState.get("axis"));
    for (const button of this.axes.children) button.setAttribute("aria-pressed", String(button.dataset.axis === axis.name));
    const runs = gameState.runs();
    const hidden = gameState.get("hidden");
    this.tools.hidden = !runs.length;
    this.stop.hidden = !runs.some((run) => ["running", "preparing", "queued"].includes(run.state));
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
