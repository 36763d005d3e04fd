// The decision that is shown on every other card that might have come: bars and a table. A click on one goes there. With the
// attribute `folded` it waits until somebody opens it, because it computes what every card is worth.

import { Part, h } from "../lib/element.js";
import { copy } from "../lib/give.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import { walk } from "../lib/walk.js";
import "./report-view.js";

const STREETS = ["Turn", "River"];
const ANY = "*";
const OPEN = "rue.runouts";
const isCard = (word) => /^[2-9TJQKA][shdc]$/.test(word);

class RunOuts extends Part {
  #latest = new Latest();
  street = "";

  build() {
    this.title_ = h("h2.grow");
    this.streets = STREETS.map((street) => h("button", { data: { street }, onclick: () => this.choose(street) }, street));
    this.choice = h("div.segmented", this.streets);
    this.csv = h("button.quiet", { onclick: () => this.copy() }, "Copy CSV");
    this.fold = h("button.quiet", { data: { do: "fold" }, hidden: !this.hasAttribute("folded"), onclick: () => this.turn() });
    this.sentence = h("p.muted", { role: "status" });
    this.view = h("report-view", { cards: true, hidden: true });
    this.view.pick = (card) => walk.to(this.line.map((word) => (word === ANY ? card : word)));
    this.show(h("div.row", this.title_, this.choice, this.csv, this.fold), this.sentence, this.view);
    this.watch(walk, "point", (point) => point && this.open());
    this.during(() => () => this.#latest.end());
  }

  get closed() {
    return this.hasAttribute("folded") && localStorage.getItem(OPEN) !== "1";
  }

  turn() {
    localStorage.setItem(OPEN, this.closed ? "1" : "0");
    this.open();
  }

  choose(street) {
    this.street = street;
    this.open();
  }

  /** The line with `*` for one of its cards: that of the chosen street, or the last. */
  open() {
    if (!this.isConnected || this.closest("[hidden]")) {
      this.#latest.end(); // nobody sees it
      return;
    }
    const { steps, line: words } = walk.get("view");
    const last = steps.at(-1);
    const line = last.kind === "card" ? [...words, ANY] : [...words];
    const places = line.flatMap((word, k) => (isCard(word) || word === ANY ? [k] : []));
    const first = steps[0].board.length / 2 - 3;
    const names = places.map((_, k) => STREETS[first + k]);
    for (const button of this.streets) button.hidden = !names.includes(button.dataset.street);
    this.choice.hidden = places.length < 2;
    const ready = places.length > 0 && last.kind !== "over";
    this.csv.hidden = !ready || this.closed;
    this.fold.textContent = this.closed ? "Show" : "Hide";
    if (!ready) {
      this.#latest.end();
      this.view.hidden = true;
      this.title_.textContent = "Every card";
      this.sentence.textContent = "No card has come yet: go on to a decision after one to see it on all cards.";
      return;
    }
    const chosen = names.includes(this.street) && last.kind !== "card" ? names.indexOf(this.street) : places.length - 1;
    for (const button of this.streets) button.setAttribute("aria-pressed", String(button.dataset.street === names[chosen]));
    line[places[chosen]] = ANY;
    this.line = line;
    this.title_.textContent = `On every ${names[chosen].toLowerCase()}`;
    this.view.hidden = this.closed;
    if (!this.closed) this.ask();
    else {
      this.#latest.end();
      this.sentence.textContent = "";
    }
  }

  async ask() {
    this.sentence.textContent = "Computing what each card is worth…";
    this.view.classList.add("stale");
    try {
      const found = await this.#latest.ask((signal) => api.runouts(walk.get("run"), this.line, "data", signal));
      if (!found || this.closed) return;
      this.sentence.textContent = found.notes.join("; ");
      this.view.hidden = false;
      this.view.classList.remove("stale");
      this.view.report = found; // once there is room for it
    } catch (error) {
      this.sentence.textContent = error.message;
      this.view.hidden = true;
    }
  }

  async copy() {
    try {
      if (await copy((await api.runouts(walk.get("run"), this.line, "csv")).text)) this.sentence.textContent = "copied";
    } catch (error) {
      this.sentence.textContent = error.message;
    }
  }
}

customElements.define("run-outs", RunOuts);
