// The runs of a game, a row each: its line, how far it is, what one can do with it.

import { Part, h, s } from "../lib/element.js";
import { app } from "../lib/store.js";
import { duration, short } from "../lib/format.js";
import { contest } from "../lib/contest.js";
import { lineStyle } from "../lib/lines.js";
import { api } from "../lib/protocol.js";
import { address } from "../lib/router.js";
import { stateOf } from "./run-state.js";

const MORE = 10;
/** "More" goes on to so many times the iterations. */

class CurveTable extends Part {
  build() {
    this.rows = h("tbody");
    this.error = h("p.bad", { role: "status" });
    this.scroll = h("div.scroll", h("table", h("thead", h("tr", ["", "algorithm", "iterations", "time", "nodes", "exploitability", "", ""].map((name) => h("th", name)))), this.rows));
    this.show(this.error, this.scroll);
    this.watch(app, "runs", () => this.tell());
    this.watch(contest, "found", () => this.tell());
    this.watch(contest, "hidden", () => this.tell());
    this.listen(globalThis, "themechange", () => this.tell());
  }

  tell() {
    const runs = contest.runs();
    this.scroll.hidden = !runs.length;
    const key = JSON.stringify([runs.map(({ id, algorithm }) => [id, algorithm]), [...contest.get("hidden")], document.documentElement.dataset.theme]);
    if (key === this.key) runs.forEach((run, k) => this.numbers(run, this.rows.children[k]));
    else this.rows.replaceChildren(...runs.map((run, place) => this.row(run, place)));
    this.key = key;
  }

  row(run, place) {
    const hidden = contest.get("hidden").has(run.id);
    const { colour, dash } = lineStyle(place);
    const line = h("button.quiet.line", { title: hidden ? "Show its line" : "Hide its line", "aria-pressed": String(!hidden), onclick: () => this.turn(run.id) }, s("svg", { viewBox: "0 0 30 6" }, s("line", { x1: 0, x2: 30, y1: 3, y2: 3, stroke: hidden ? "var(--line)" : colour, "stroke-dasharray": dash || null })));
    const numbers = Array.from({ length: 4 }, () => h("td.number"));
    const made = h("tr", { data: { run: run.id } }, h("td", line), h("td.name", run.algorithm), numbers, h("td.state-cell"), h("td.acts"));
    this.numbers(run, made);
    return made;
  }

  numbers(run, row) {
    const told = [run.iteration.toLocaleString("en"), duration(run.seconds), run.nodes === null ? "–" : short(run.nodes), short(run.exploitability, 4)];
    row.querySelectorAll(".number").forEach((cell, k) => (cell.textContent = told[k]));
    row.querySelector(".state-cell").replaceChildren(h("span.state", { data: { state: run.state }, title: run.error || null }, run.error || stateOf(run)));
    if (row.dataset.state !== run.state) row.querySelector(".acts").replaceChildren(...this.acts(run));
    row.dataset.state = run.state;
  }

  acts(run) {
    const working = ["running", "preparing", "queued"].includes(run.state);
    const over = run.state === "done" || run.state === "stopped";
    const exact = run.algorithm === "lp";
    return [
      working && this.button("Stop", () => api.stop(run.id)),
      run.state === "paused" && this.button("Go on", () => api.go(run.id)),
      over && !exact && this.button("More", () => api.go(run.id, { iterations: Math.max(100, (MORE - 1) * run.iteration) }), `${MORE} times as many iterations`),
      (run.iteration > 0 || over) && h("a.button", { href: address("games", contest.get("text"), "tree", run.id) }, "Tree"),
      !working && this.button("×", () => api.remove(run.id), "Delete the run from the disk"),
    ].filter(Boolean);
  }

  button(text, act, title) {
    return h("button", { title, onclick: async () => {
      this.error.textContent = "";
      try {
        await act();
      } catch (error) {
        this.error.textContent = error.message;
      }
    } }, text);
  }

  turn(id) {
    const hidden = new Set(contest.get("hidden"));
    if (!hidden.delete(id)) hidden.add(id);
    contest.set({ hidden });
  }
}

customElements.define("curve-table", CurveTable);
