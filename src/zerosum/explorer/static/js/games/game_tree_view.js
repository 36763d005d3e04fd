// The game tree with the strategy of a run: a small one is drawn, a large one opened history by history; and the infosets that
// match a filter.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { gameState } from "./game_state.js";
import { saveFile } from "../base/download.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";
import "./game_tree_diagram.js";
import "./infoset_table.js";
import "./game_tree_list.js";

/** Milliseconds between two updates while the run is running. */
const UPDATE_INTERVAL = 1500;

class GameTreeView extends Component {
  #tree = this.latestRequest();
  #infosets = this.latestRequest();

  build() {
    this.runs = h("select", { "aria-label": "the strategy of", onchange: () => navigate(formatAddress("games", gameState.get("text"), "tree", ...(this.runs.value ? [this.runs.value] : []))) });
    this.filter = h("input", { name: "filter", type: "search", placeholder: "Filter infosets: K bet", "aria-label": "filter by text", oninput: () => this.filterInfosets() });
    this.saveSvg = h("button", { onclick: () => saveFile(this.diagram.svgText(), "tree.svg", "image/svg+xml"), hidden: true }, "Save SVG");
    this.message = h("p.message", { role: "status" });
    this.loading = h("p.muted.pulse", { role: "status", hidden: true }, "Loading the tree…");
    this.diagram = h("game-tree-diagram", { hidden: true });
    this.list = h("game-tree-list", { hidden: true });
    this.table = h("infoset-table", { hidden: true });
    this.replaceContent(h("div.row", h("label.row", "Strategy of", this.runs), h("div.grow", this.filter), this.saveSvg), this.message, this.loading, this.diagram, this.list, this.table);
    this.subscribe(app, "route", (route) => route.page === "games" && this.open(route.parts));
    this.subscribe(gameState, "estimate", () => this.render());
    this.subscribe(app, "runs", () => this.render());
    this.whileConnected(() => {
      const timer = setInterval(() => this.refresh(), UPDATE_INTERVAL);
      return () => clearInterval(timer);
    });
  }

  open([, view, id]) {
    if (view !== "tree") return;
    this.runId = id ?? null;
    this.loadedKey = "";
    this.render();
  }

  /** The runs with a strategy, and the one to show: that of the address, or the least exploitable. */
  chooseRun() {
    const runs = gameState.runs().filter((run) => (run.iteration > 0 || run.exploitability !== null) && run.state !== "failed");
    const best = runs.reduce((best, run) => (best === null || run.exploitability < best.exploitability ? run : best), null);
    return { runs, run: runs.find((run) => run.id === this.runId) ?? best };
  }

  render() {
    const estimate = gameState.get("estimate");
    if (!estimate || app.get("route").parts[1] !== "tree") return;
    const { runs, run } = this.chooseRun();
    if (document.activeElement !== this.runs) {
      this.runs.replaceChildren(...runs.map(({ id, algorithm }) => h("option", { value: id, selected: id === run?.id }, `${algorithm} (run ${id})`)), ...(runs.length ? [] : [h("option", { value: "" }, "no run yet")]));
    }
    const key = `${estimate.game} ${run?.id} ${run?.state === "running" ? "" : run?.iteration}`;
    if (key === this.loadedKey) return;
    this.loadedKey = key;
    this.load(estimate.text, run?.id ?? null);
  }

  refresh() {
    const { run } = this.chooseRun();
    if (run?.state === "running" && !this.diagram.hidden && !document.hidden && gameState.get("estimate")) this.load(gameState.get("text"), run.id);
  }

  async load(game, run) {
    try {
      this.loading.hidden = !this.diagram.hidden || !this.list.hidden;
      const tree = await this.#tree.send((signal) => api.gameTree({ game, run }, signal));
      if (!tree) return;
      this.message.textContent = "";
      this.diagram.hidden = this.saveSvg.hidden = !tree.is_complete;
      this.list.hidden = tree.is_complete;
      if (tree.is_complete) this.diagram.nodes = tree.nodes;
      else this.list.data = (path, first) => (path.length || first ? api.gameTree({ game, run, path, first }) : Promise.resolve(tree));
      this.run = run;
      this.filterInfosets();
    } catch (error) {
      this.message.textContent = error.message;
      this.diagram.hidden = this.list.hidden = this.table.hidden = true;
    } finally {
      this.loading.hidden = true;
    }
  }

  async filterInfosets() {
    this.diagram.filter = this.filter.value;
    if (!this.run) {
      this.table.hidden = true;
      return;
    }
    const infosets = await this.attempt(() => this.#infosets.send((signal) => api.infosets(this.run, this.filter.value, signal)));
    if (!infosets) return;
    this.table.hidden = false;
    this.table.data = infosets;
  }
}

customElements.define("game-tree-view", GameTreeView);
