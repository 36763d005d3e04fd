// The decision on every possible card, as bars and a table; a click on a card goes there. With the attribute `folded` it is closed
// at first, because it computes EVs for every card.

import { Component, flash, h, press, segmented } from "../base/element.js";
import { copyText } from "../base/download.js";
import { api } from "../base/api.js";
import { walk } from "../walk/walk_state.js";
import "../reports/report_view.js";

const STREETS = ["Turn", "River"];
const ANY = "*";
const OPEN = "zerosum.runouts";
const isCard = (word) => /^[2-9TJQKA][shdc]$/.test(word);

class RunoutReport extends Component {
  #latest = this.latestRequest();
  street = "";

  build() {
    this.title_ = h("h2.grow");
    this.streets = segmented("street", STREETS.map((street) => [street, street]), (street) => this.choose(street));
    this.csv = h("button.quiet", { onclick: () => this.copyCsv() }, "Copy CSV");
    this.toggleButton = h("button.quiet", { data: { do: "fold" }, hidden: !this.hasAttribute("folded"), onclick: () => this.toggle() });
    this.message = h("p.muted", { role: "status" });
    this.view = h("report-view", { cards: true, hidden: true });
    this.view.pick = (card) => walk.to(this.line.map((word) => (word === ANY ? card : word)));
    this.replaceContent(h("div.row", this.title_, this.streets, this.csv, this.toggleButton), this.message, this.view);
    this.subscribe(walk, "position", (point) => point && this.open());
  }

  get closed() {
    return this.hasAttribute("folded") && localStorage.getItem(OPEN) !== "1";
  }

  toggle() {
    localStorage.setItem(OPEN, this.closed ? "1" : "0");
    this.open();
  }

  choose(street) {
    this.street = street;
    this.open();
  }

  /** Put `*` in place of one card of the line (that of the chosen street, or the last) and load the report. */
  open() {
    if (!this.isConnected || this.closest("[hidden]")) {
      this.#latest.abort(); // it is hidden
      return;
    }
    const { steps, line: fullLine } = walk.get("view");
    const last = steps.at(-1);
    const line = last.kind === "card" ? [...fullLine, ANY] : [...fullLine];
    const indices = line.flatMap((word, k) => (isCard(word) || word === ANY ? [k] : []));
    const first = steps[0].board.length / 2 - 3;
    const names = indices.map((_, k) => STREETS[first + k]);
    for (const button of this.streets.children) button.hidden = !names.includes(button.dataset.street);
    this.streets.hidden = indices.length < 2;
    const isReady = indices.length > 0 && last.kind !== "end";
    this.csv.hidden = !isReady || this.closed;
    this.toggleButton.textContent = this.closed ? "Show" : "Hide";
    if (!isReady) {
      this.#latest.abort();
      this.view.hidden = true;
      this.title_.textContent = "Every card";
      this.message.textContent = "No card has been dealt yet: go to a decision after the next card to compare all cards.";
      return;
    }
    const chosen = names.includes(this.street) && last.kind !== "card" ? names.indexOf(this.street) : indices.length - 1;
    press(this.streets, names[chosen]);
    line[indices[chosen]] = ANY;
    this.line = line;
    this.title_.textContent = `On every ${names[chosen].toLowerCase()}`;
    this.view.hidden = this.closed;
    if (!this.closed) this.load();
    else {
      this.#latest.abort();
      this.message.textContent = "";
    }
  }

  async load() {
    this.message.textContent = "Computing the decision on every card…";
    this.view.classList.add("stale");
    try {
      const report = await this.#latest.send((signal) => api.runouts(walk.get("run"), this.line, "data", signal));
      if (!report || this.closed) return;
      this.message.textContent = report.notes.join("; ");
      this.view.hidden = false;
      this.view.classList.remove("stale");
      this.view.data = report; // once it is visible and has a width
    } catch (error) {
      this.message.textContent = error.message;
      this.view.hidden = true;
    }
  }

  async copyCsv() {
    const report = await this.attempt(() => api.runouts(walk.get("run"), this.line, "csv"));
    if (report && (await copyText(report.text))) flash(this.csv, "copied", "Copy CSV");
  }
}

customElements.define("runout-report", RunoutReport);
