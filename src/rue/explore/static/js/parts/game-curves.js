// The curves of a game's runs, side by side, as they grow: along iterations, time or nodes; as text and as a picture.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { contest } from "../lib/contest.js";
import { copy, save } from "../lib/give.js";
import { api } from "../lib/protocol.js";
import "./curve-table.js";
import "./line-chart.js";

const ACROSS = [
  { name: "iterations", title: "iterations", place: 0 },
  { name: "seconds", title: "time (s)", place: 1 },
  { name: "nodes", title: "nodes touched", place: 3 },
];

const UNJUDGED = "By rules alone the exploitability is not known: there is no curve. Tree has the strategy.";

class GameCurves extends Part {
  build() {
    this.chart = h("line-chart");
    this.axes = h("span.segmented", { role: "group", "aria-label": "along" }, ACROSS.map(({ name }) => h("button", { data: { across: name }, onclick: () => contest.set({ across: name }) }, name)));
    this.said = h("span.muted", { role: "status" });
    this.stop = h("button", { onclick: () => this.end() }, "Stop all");
    const give = (title, act) => h("button", { onclick: async () => {
      try {
        this.said.textContent = (await act()) ?? "";
      } catch (error) {
        this.said.textContent = error.message;
      }
    } }, title);
    this.tools = h("span.row",
      give("Copy CSV", async () => (await copy(await this.csv())) && "copied"),
      give("Save CSV", async () => save(await this.csv(), "curves.csv", "text/csv")),
      give("Save SVG", async () => save(this.chart.file(), "curves.svg", "image/svg+xml")));
    this.show(h("div.row", this.axes, h("span.grow"), this.said, this.stop, this.tools), this.chart, h("curve-table"));
    this.watch(app, "runs", () => this.tell());
    this.watch(contest, "found", () => this.tell());
    this.watch(contest, "hidden", () => this.tell());
    this.watch(contest, "across", () => this.tell());
  }

  async csv() {
    return (await api.curves(contest.runs().map((run) => run.id))).text;
  }

  async end() {
    const going = contest.runs().filter((run) => ["running", "preparing", "queued", "paused"].includes(run.state));
    await Promise.allSettled(going.map((run) => api.stop(run.id)));
  }

  tell() {
    const across = ACROSS.find(({ name }) => name === contest.get("across"));
    for (const button of this.axes.children) button.setAttribute("aria-pressed", String(button.dataset.across === across.name));
    const runs = contest.runs();
    const hidden = contest.get("hidden");
    this.tools.hidden = !runs.length;
    this.stop.hidden = !runs.some((run) => ["running", "preparing", "queued"].includes(run.state));
    const lines = runs.map((run, place) => ({ id: run.id, name: run.algorithm, place, points: (run.curve ?? []).map((point) => [point[across.place], point[2]]) }));
    this.chart.picture = {
      lines: lines.filter((line) => !hidden.has(line.id)),
      x: { title: across.title, log: true },
      y: { title: `exploitability (${runs[0]?.measure ?? "units of payoff"})`, log: true },
      none: runs.length && !runs.some((run) => run.judged) ? UNJUDGED : runs.length ? "No curve yet." : "Choose algorithms and press Run: their curves grow here side by side.",
    };
  }
}

customElements.define("game-curves", GameCurves);
