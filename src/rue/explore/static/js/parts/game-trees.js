// The tree of a game with the strategy of a run: drawn whole if it is small, else opened history by history; and the
// infosets that a text names.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { contest } from "../lib/contest.js";
import { save } from "../lib/give.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import "./game-tree.js";
import "./infoset-table.js";
import "./tree-rows.js";

const EVERY = 1500;
/** Milliseconds between two looks at a run that goes on. */

class GameTrees extends Part {
  #tree = new Latest();
  #list = new Latest();

  build() {
    this.runs = h("select", { "aria-label": "the strategy of", onchange: () => go(address("games", contest.get("text"), "tree", ...(this.runs.value ? [this.runs.value] : []))) });
    this.filter = h("input", { name: "filter", type: "search", placeholder: "Filter infosets: K bet", "aria-label": "filter by text", oninput: () => this.sift() });
    this.picture = h("button", { onclick: () => save(this.drawn.file(), "tree.svg", "image/svg+xml"), hidden: true }, "Save SVG");
    this.error = h("p.sentence", { role: "status" });
    this.reading = h("p.muted.pulse", { role: "status", hidden: true }, "Reading the tree…");
    this.drawn = h("game-tree", { hidden: true });
    this.rows = h("tree-rows", { hidden: true });
    this.table = h("infoset-table", { hidden: true });
    this.show(h("div.row", h("label.row", "Strategy of", this.runs), h("div.grow", this.filter), this.picture), this.error, this.reading, this.drawn, this.rows, this.table);
    this.watch(app, "route", (route) => route.page === "games" && this.open(route.parts));
    this.watch(contest, "found", () => this.tell());
    this.watch(app, "runs", () => this.tell());
    this.during(() => {
      const timer = setInterval(() => this.again(), EVERY);
      return () => clearInterval(timer);
    });
    this.during(() => () => {
      this.#tree.end();
      this.#list.end();
    });
  }

  open([, view, id]) {
    if (view !== "tree") return;
    this.wanted = id ?? null;
    this.asked = "";
    this.tell();
  }

  /** The run that is shown: that of the address, or the best there is. */
  chosen() {
    const runs = contest.runs().filter((run) => (run.iteration > 0 || run.exploitability !== null) && run.state !== "failed");
    const best = runs.reduce((least, run) => (least === null || run.exploitability < least.exploitability ? run : least), null);
    return { runs, run: runs.find((run) => run.id === this.wanted) ?? best };
  }

  tell() {
    const found = contest.get("found");
    if (!found || app.get("route").parts[1] !== "tree") return;
    const { runs, run } = this.chosen();
    if (document.activeElement !== this.runs) {
      this.runs.replaceChildren(...runs.map(({ id, algorithm }) => h("option", { value: id, selected: id === run?.id }, `${algorithm} (run ${id})`)), ...(runs.length ? [] : [h("option", { value: "" }, "no run yet")]));
    }
    const key = `${found.game} ${run?.id} ${run?.state === "running" ? "" : run?.iteration}`;
    if (key === this.asked) return;
    this.asked = key;
    this.look(found.text, run?.id ?? null);
  }

  again() {
    const { run } = this.chosen();
    if (run?.state === "running" && !this.drawn.hidden && !document.hidden && contest.get("found")) this.look(contest.get("text"), run.id);
  }

  async look(game, run) {
    try {
      this.reading.hidden = !this.drawn.hidden || !this.rows.hidden;
      const found = await this.#tree.ask((signal) => api.tree({ game, run }, signal));
      if (!found) return;
      this.error.textContent = "";
      this.drawn.hidden = this.picture.hidden = !found.whole;
      this.rows.hidden = found.whole;
      if (found.whole) this.drawn.nodes = found.nodes;
      else this.rows.source = (at, first) => (at.length || first ? api.tree({ game, run, at, first }) : Promise.resolve(found));
      this.run = run;
      this.sift();
    } catch (error) {
      this.error.textContent = error.message;
      this.drawn.hidden = this.rows.hidden = this.table.hidden = true;
    } finally {
      this.reading.hidden = true;
    }
  }

  async sift() {
    this.drawn.words = this.filter.value;
    if (!this.run) {
      this.table.hidden = true;
      return;
    }
    try {
      const found = await this.#list.ask((signal) => api.infosets(this.run, this.filter.value, signal));
      if (!found) return;
      this.table.hidden = false;
      this.table.infosets = found;
    } catch (error) {
      this.error.textContent = error.message;
    }
  }
}

customElements.define("game-trees", GameTrees);
