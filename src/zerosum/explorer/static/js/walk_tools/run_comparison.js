// Two runs of the same spot side by side at the decision, such as one without and one with locks.

import { Component, h } from "../base/element.js";
import { className, splitBackground } from "../components/hand_cells.js";
import { needsLightText } from "../components/cell_colours.js";
import { mixBar } from "../components/mix_bar.js";
import { actionLabel, percent, fixed, positionLabel } from "../base/format.js";
import { api } from "../base/api.js";
import { formatAddress } from "../base/router.js";
import { app, findRun } from "../base/store.js";
import { walk } from "../walk/walk_state.js";

const SEATS = ["OOP", "IP"];
/** Opacity of a class of which almost nothing is left. */
const PALEST = 0.25;

/** Identify what is compared. The state is part of it: the last numbers of a run arrive with it, after its last iteration. */
const comparisonKey = (run, view) => `${run?.id} ${run?.state} ${view.line} ${view.iteration}`;

class RunComparison extends Component {
  #latest = this.latestRequest();
  #differences = this.latestRequest();

  build() {
    this.other = h("select", { "aria-label": "the run to compare with", onchange: () => this.compare() });
    this.message = h("p.message", { role: "status" });
    this.none = h("p.muted", "There is no other solved run of this spot. Lock a decision and solve again, or solve the spot once more.");
    this.content = h("div.compared");
    this.findButton = h("button", { data: { do: "differences" }, onclick: () => this.findDifferences() }, "Where they differ most");
    this.differences = h("div.compared");
    this.replaceContent(h("label.row", h("span.muted", "with"), h("div.grow", this.other)), this.none, this.message, this.content, h("div", this.findButton), this.differences);
    this.subscribe(app, "runs", () => this.updateRunList());
    this.subscribe(walk, "view", (view) => view && comparisonKey(findRun(walk.get("run")), view) !== this.comparedKey && this.compare());
  }

  /** List the other runs of the spot: for a run with locks, those without locks come first, and vice versa. */
  updateRunList() {
    const run = findRun(walk.get("run"));
    if (!run?.spot) return;
    const same = JSON.stringify(run.spot);
    const hasLocks = run.locks.length > 0;
    const candidates = app.get("runs").filter((other) => other.id !== run.id && other.iteration > 0 && other.state !== "failed" && JSON.stringify(other.spot) === same);
    candidates.sort((first, second) => ((first.locks.length > 0) === hasLocks) - ((second.locks.length > 0) === hasLocks));
    const key = `${run.id}: ${candidates.map(({ id }) => id).join()}`;
    if (key === this.listedKey) return;
    const selected = this.listedKey?.startsWith(`${run.id}:`) ? this.other.value : "";
    this.listedKey = key;
    this.other.replaceChildren(...candidates.map(({ id, name }) => h("option", { value: id }, name)));
    if (candidates.some(({ id }) => id === selected)) this.other.value = selected;
    this.none.hidden = candidates.length > 0;
    this.other.hidden = this.findButton.hidden = !candidates.length;
    this.differences.replaceChildren();
    this.compare();
  }

  async compare() {
    this.updateRunList();
    const [run, other] = [findRun(walk.get("run")), findRun(this.other.value)];
    const view = walk.get("view");
    if (!run || !other || !view?.decision) {
      this.content.replaceChildren();
      return;
    }
    this.comparedKey = comparisonKey(run, view);
    const [before, after] = (this.pair = run.locks.length || !other.locks.length ? [other, run] : [run, other]);
    this.content.classList.add("stale");
    try {
      const comparison = await this.#latest.send((signal) => api.compareRuns(after.id, before.id, walk.fullLine, signal));
      if (!comparison) return;
      this.message.textContent = "";
      this.content.classList.remove("stale");
      this.render(comparison, [before, after]);
    } catch (error) {
      this.message.textContent = error.message;
      this.content.replaceChildren();
    }
  }

  /** Find the decisions from here on in which the runs differ most. */
  async findDifferences() {
    if (!this.pair) return;
    const [before, after] = this.pair;
    this.differences.replaceChildren(h("p.muted.pulse", "Comparing all decisions…"));
    try {
      const differences = await this.#differences.send((signal) => api.differences(after.id, before.id, walk.fullLine, signal));
      if (differences) this.renderDifferences(differences);
    } catch (error) {
      this.differences.replaceChildren(h("p.bad", error.message));
    }
  }

  renderDifferences({ rows, moved, notes }) {
    const run = walk.get("run");
    const lines = rows.map((row) => {
      const mix = (shares) => h("td", mixBar(row.actions, shares, row.colours));
      return h("tr", h("td", h("a", { href: formatAddress("run", run, row.line.join(",")) }, row.line.join(" ") || "start"), h("span.muted", ` ${positionLabel(row.player)}`)), h("td", percent(row.reach)), mix(row.before), mix(row.after), h("td", h("b", percent(row.moved))), h("td", signed(row.ev_change, (number) => fixed(number, 1))));
    });
    this.differences.replaceChildren(
      h("p.muted", `${percent(moved)} of play from here on differs${notes.map((note) => `; ${note.replace(/ \(--.*\)/, "")}`).join("")}`),
      h("div.scroll", h("table", h("thead", h("tr", ["decision", "reach", "before", "after", "changed", "EV"].map((title) => h("th", title)))), h("tbody", lines))),
    );
  }

  render(comparison, runs) {
    const sides = [comparison.before, comparison.after];
    const decimals = Math.max(...sides.map((side) => side.decision?.decimals ?? 2));
    const row = (title, numbers, format) => h("tr", h("td", title), numbers.map((number) => h("td", format(number))), h("td", h("b", numbers.every((number) => number !== null) ? signed(numbers[1] - numbers[0], format) : "–")));
    const amount = (number) => fixed(number, decimals);
    const share = (number) => percent(number);
    const heads = h("tr", h("th"), runs.map((run, k) => h("th", { title: run.name }, h("a", { href: formatAddress("run", run.id, comparison.line.join(",")) }, k ? "after" : "before"))), h("th", "change"));
    const values = SEATS.map((seat, k) => row(`EV ${seat}`, sides.map((side) => (k ? side.ev_ip : side.ev_oop)), amount));
    const here = comparison.line.length ? SEATS.map((seat, k) => row(`EV ${seat} from here`, sides.map((side) => side.range_evs?.[k] ?? null), amount)) : [];
    const exact = row("exploitability, of the pot", sides.map((side) => side.exploitability), (number) => percent(number, 3));
    const actions = sides.find((side) => side.decision)?.decision.actions ?? [];
    const frequencies = actions.map(({ name, label }, a) => row(actionLabel(label), sides.map((side) => side.decision?.actions[a].frequency ?? null), share));
    this.content.replaceChildren(
      h("p", { class: "muted names" }, runs.map((run, k) => h("span", `${k ? "after" : "before"}: ${run.name}`))),
      comparison.locks.length ? h("ul.locks", comparison.locks.map((text) => h("li", text.replace(": @", ": ")))) : "",
      comparison.price ? h("p.price", { data: { test: "price" } }, this.lockCost(comparison.price, decimals)) : "",
      h("table", h("thead", heads), h("tbody", values, here, frequencies, exact)),
      h("div.columns", sides.map((side, k) => h("figure", h("figcaption", `${k ? "after" : "before"}${side.decision ? `, ${positionLabel(side.decision.player)}` : ": no hand reaches this decision"}`), side.decision ? smallGrid(side.decision) : ""))),
      this.changedClasses(comparison),
    );
  }

  /** Describe what the locks cost, in one sentence per player and case. */
  lockCost({ unlocked, locked, counters, players, nobody_adapts: nobody }, decimals) {
    const amount = (number) => fixed(number, decimals);
    return players.flatMap((player) => {
      const sentences = [`The locks cost ${SEATS[player - 1]} ${amount(unlocked[player - 1] - locked[player - 1])} once both players adapt.`];
      if (nobody) sentences.push(` If nobody adapts: ${amount(unlocked[player - 1] - nobody[player - 1])}.`);
      if (counters) sentences.push(` If only ${SEATS[2 - player]} adapts, ${SEATS[2 - player]} wins ${amount(counters[2 - player] - unlocked[2 - player])} more.`);
      return sentences;
    });
  }

  /** List the classes whose strategy changed, the largest change first. */
  changedClasses({ changes, before, after }) {
    const order = changes.name.map((_, k) => k).filter((k) => changes.strategy_change[k] >= 0.0005).sort((a, b) => changes.strategy_change[b] - changes.strategy_change[a]);
    if (!order.length) return h("p.muted", "Every class has the same strategy here.");
    const mix = ({ groups: { class: classes }, actions }, cell) => {
      const index = classes.group.indexOf(cell);
      return h("td", mixBar(actions.map(({ label }) => label), classes.frequency.map((shares) => shares[index]), actions.map(({ colour }) => colour)));
    };
    const rows = order.map((k) => h("tr", h("td", changes.name[k]), mix(before.decision, changes.group[k]), mix(after.decision, changes.group[k]), h("td", h("b", percent(changes.strategy_change[k])))));
    return h("div.scroll", h("table", h("thead", h("tr", h("th", "class"), h("th", "before"), h("th", "after"), h("th", "changed"))), h("tbody", rows)));
  }
}

/** Format a number with its sign, unless it is rounded to 0. */
const signed = (number, format) => {
  const size = format(Math.abs(number));
  return size === format(0) ? size : `${number < 0 ? "−" : "+"}${size}`;
};

/** Create a small grid of the classes, split by action. */
function smallGrid({ groups: { class: classes }, actions }) {
  const indices = new Map(classes.group.map((cell, k) => [cell, k]));
  const colours = actions.map(({ colour }) => colour);
  const dark = document.documentElement.dataset.theme === "dark";
  return h("div.small-cells", Array.from({ length: 169 }, (_, cell) => {
    const k = indices.get(cell);
    if (k === undefined) return h("div");
    const shares = classes.frequency.map((shares) => shares[k]);
    const title = `${className(cell)}: ${actions.map(({ label }, a) => `${actionLabel(label)} ${percent(shares[a], 0)}`).join(", ")}`;
    const strength = PALEST + (1 - PALEST) * Math.sqrt(classes.start_share[k]);
    return h("div", { title, class: needsLightText(shares, colours, strength, dark) ? "light" : null, style: { "background-image": splitBackground(shares, colours, strength) } }, h("span", className(cell)));
  }));
}

customElements.define("run-comparison", RunComparison);
