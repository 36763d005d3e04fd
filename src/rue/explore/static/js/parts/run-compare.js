// Two runs of the same spot side by side at the decision: without locks and with them, or any two.

import { Part, h } from "../lib/element.js";
import { className, split } from "../lib/cells.js";
import { lightText } from "../lib/colour.js";
import { action, percent, plain, position } from "../lib/format.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import { address } from "../lib/router.js";
import { app, runOf } from "../lib/store.js";
import { walk } from "../lib/walk.js";

const SEATS = ["OOP", "IP"];
const PALEST = 0.25;

/** What is compared: the last numbers of a run come with its state, after its last iteration. */
const keyOf = (run, view) => `${run?.id} ${run?.state} ${view.line} ${view.iteration}`;

class RunCompare extends Part {
  #latest = new Latest();
  #widest = new Latest();

  build() {
    this.other = h("select", { "aria-label": "the run to compare with", onchange: () => this.ask() });
    this.sentence = h("p.sentence", { role: "status" });
    this.none = h("p.muted", "There is no other run of this spot that is solved. Lock a decision and solve again, or solve the spot once more.");
    this.room = h("div.compared");
    this.where = h("button", { data: { do: "differences" }, onclick: () => this.seek() }, "Where they differ most");
    this.found = h("div.compared");
    this.show(h("label.row", h("span.muted", "with"), h("div.grow", this.other)), this.none, this.sentence, this.room, h("div", this.where), this.found);
    this.watch(app, "runs", () => this.offer());
    this.watch(walk, "view", (view) => view && keyOf(runOf(walk.get("run")), view) !== this.shown && this.ask());
    this.during(() => () => {
      this.#latest.end();
      this.#widest.end();
    });
  }

  /** The other runs of the same spot; of a run with locks those without come first, and the other way round. */
  offer() {
    const run = runOf(walk.get("run"));
    if (!run?.spot) return;
    const same = JSON.stringify(run.spot);
    const locked = run.locks.length > 0;
    const found = app.get("runs").filter((each) => each.id !== run.id && each.iteration > 0 && each.state !== "failed" && JSON.stringify(each.spot) === same);
    found.sort((one, two) => ((one.locks.length > 0) === locked) - ((two.locks.length > 0) === locked));
    const key = `${run.id}: ${found.map((each) => each.id).join()}`;
    if (key === this.offered) return;
    const kept = this.offered?.startsWith(`${run.id}:`) ? this.other.value : "";
    this.offered = key;
    this.other.replaceChildren(...found.map((each) => h("option", { value: each.id }, each.name)));
    if (found.some((each) => each.id === kept)) this.other.value = kept;
    this.none.hidden = found.length > 0;
    this.other.hidden = this.where.hidden = !found.length;
    this.found.replaceChildren();
    this.ask();
  }

  async ask() {
    this.offer();
    const [run, other] = [runOf(walk.get("run")), runOf(this.other.value)];
    const view = walk.get("view");
    if (!run || !other || !view?.decision) {
      this.room.replaceChildren();
      return;
    }
    this.shown = keyOf(run, view);
    const [before, after] = (this.pair = run.locks.length || !other.locks.length ? [other, run] : [run, other]);
    this.room.classList.add("stale");
    try {
      const found = await this.#latest.ask((signal) => api.compare(after.id, before.id, walk.words, signal));
      if (!found) return;
      this.sentence.textContent = "";
      this.room.classList.remove("stale");
      this.tell(found, [before, after]);
    } catch (error) {
      this.sentence.textContent = error.message;
      this.room.replaceChildren();
    }
  }

  /** The decisions from here on in which the runs differ most. */
  async seek() {
    if (!this.pair) return;
    const [before, after] = this.pair;
    this.found.replaceChildren(h("p.muted.pulse", "Going through all decisions…"));
    try {
      const found = await this.#widest.ask((signal) => api.differences(after.id, before.id, walk.words, signal));
      if (found) this.differences(found);
    } catch (error) {
      this.found.replaceChildren(h("p.bad", error.message));
    }
  }

  differences({ rows, moved, notes }) {
    const run = walk.get("run");
    const told = rows.map((row) => {
      const mix = (shares) => {
        const title = row.actions.map((name, a) => `${action(name)} ${percent(shares[a], 0)}`).join(", ");
        return h("td", h("div.mix", { title, "aria-label": title, role: "img" }, row.colours.map((colour, a) => h("i", { style: { width: `${100 * shares[a]}%`, background: colour } }))));
      };
      return h("tr", h("td", h("a", { href: address("run", run, row.line.join(",")) }, row.line.join(" ") || "start"), h("span.muted", ` ${position(row.player)}`)), h("td", percent(row.reach)), mix(row.before), mix(row.after), h("td", h("b", percent(row.moved))), h("td", signed(row.ev_change, (number) => plain(number, 1))));
    });
    this.found.replaceChildren(
      h("p.muted", `${percent(moved)} of all play is otherwise from here on${notes.map((note) => `; ${note.replace(/ \(--.*\)/, "")}`).join("")}`),
      h("div.scroll", h("table", h("thead", h("tr", ["decision", "reach", "before", "after", "plays otherwise", "EV"].map((title) => h("th", title)))), h("tbody", told))),
    );
  }

  tell(found, runs) {
    const sides = [found.before, found.after];
    const decimals = Math.max(...sides.map((side) => side.decision?.decimals ?? 2));
    const row = (title, numbers, format) => h("tr", h("td", title), numbers.map((number) => h("td", format(number))), h("td", h("b", numbers.every((number) => number !== null) ? signed(numbers[1] - numbers[0], format) : "–")));
    const amount = (number) => plain(number, decimals);
    const share = (number) => percent(number);
    const heads = h("tr", h("th"), runs.map((run, k) => h("th", { title: run.name }, h("a", { href: address("run", run.id, found.line.join(",")) }, k ? "after" : "before"))), h("th", "change"));
    const values = SEATS.map((seat, k) => row(`EV ${seat}`, sides.map((side) => (k ? side.ev_ip : side.ev_oop)), amount));
    const here = found.line.length ? SEATS.map((seat, k) => row(`EV ${seat} here`, sides.map((side) => side.here?.[k] ?? null), amount)) : [];
    const exact = row("exploitability, of the pot", sides.map((side) => side.exploitability), (number) => percent(number, 3));
    const choices = sides.find((side) => side.decision)?.decision.choices ?? [];
    const frequencies = choices.map(({ name, label }, a) => row(action(label), sides.map((side) => side.decision?.choices[a].frequency ?? null), share));
    this.room.replaceChildren(
      h("p", { class: "muted names" }, runs.map((run, k) => h("span", `${k ? "after" : "before"}: ${run.name}`))),
      found.locks.length ? h("ul.locks", found.locks.map((text) => h("li", text.replace(": @", ": ")))) : "",
      found.price ? h("p.price", { data: { test: "price" } }, this.price(found.price, decimals)) : "",
      h("table", h("thead", heads), h("tbody", values, here, frequencies, exact)),
      h("div.two", sides.map((side, k) => h("figure", h("figcaption", `${k ? "after" : "before"}${side.decision ? `, ${position(side.decision.player)}` : ": no hand gets here"}`), side.decision ? grid(side.decision) : ""))),
      this.moved(found),
    );
  }

  /** What the locks cost, in a sentence each. */
  price({ unlocked, locked, counters, players, nobody_adapts: nobody }, decimals) {
    const amount = (number) => plain(number, decimals);
    return players.flatMap((player) => {
      const told = [`${SEATS[player - 1]} loses ${amount(unlocked[player - 1] - locked[player - 1])} by the locks once everybody adapts.`];
      if (nobody) told.push(` While nobody adapts: ${amount(unlocked[player - 1] - nobody[player - 1])}.`);
      if (counters) told.push(` ${SEATS[2 - player]} alone adapting wins ${amount(counters[2 - player] - unlocked[2 - player])} more.`);
      return told;
    });
  }

  /** The classes that play otherwise, those that moved most first. */
  moved({ moved, before, after }) {
    const order = moved.name.map((_, k) => k).filter((k) => moved.moved[k] >= 0.0005).sort((a, b) => moved.moved[b] - moved.moved[a]);
    if (!order.length) return h("p.muted", "Every class plays the same here.");
    const mix = (decision, cell) => {
      const at = decision.classes.cell.indexOf(cell);
      const shares = decision.choices.map((_, a) => decision.classes.strategy[a][at]);
      const title = decision.choices.map(({ label }, a) => `${action(label)} ${percent(shares[a], 0)}`).join(", ");
      return h("td", h("div.mix", { title, "aria-label": title, role: "img" }, decision.choices.map(({ colour }, a) => h("i", { style: { width: `${100 * shares[a]}%`, background: colour } }))));
    };
    const rows = order.map((k) => h("tr", h("td", moved.name[k]), mix(before.decision, moved.cell[k]), mix(after.decision, moved.cell[k]), h("td", h("b", percent(moved.moved[k])))));
    return h("div.scroll", h("table", h("thead", h("tr", h("th", "class"), h("th", "before"), h("th", "after"), h("th", "plays otherwise"))), h("tbody", rows)));
  }
}

/** With its sign, unless it is too small to be told from 0. */
const signed = (number, format) => {
  const size = format(Math.abs(number));
  return size === format(0) ? size : `${number < 0 ? "−" : "+"}${size}`;
};

/** A small grid of what the classes do. */
function grid({ classes, choices }) {
  const places = new Map(classes.cell.map((cell, k) => [cell, k]));
  const colours = choices.map((choice) => choice.colour);
  const dark = document.documentElement.dataset.theme === "dark";
  return h("div.small-cells", Array.from({ length: 169 }, (_, cell) => {
    const k = places.get(cell);
    if (k === undefined) return h("div");
    const shares = classes.strategy.map((column) => column[k]);
    const title = `${className(cell)}: ${choices.map(({ label }, a) => `${action(label)} ${percent(shares[a], 0)}`).join(", ")}`;
    const strength = PALEST + (1 - PALEST) * Math.sqrt(classes.share[k]);
    return h("div", { title, class: lightText(shares, colours, strength, dark) ? "light" : null, style: { "background-image": split(shares, colours, strength) } }, h("span", className(cell)));
  }));
}

customElements.define("run-compare", RunCompare);
