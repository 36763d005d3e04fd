// Pick the next card from a deck that shows the strategy, EV or equity of the player to act on each card.

import { Component, h, press, segmented } from "../base/element.js";
import { scaleColour } from "../components/cell_colours.js";
import { barParts } from "../components/mix_bar.js";
import { actionLabel, compact, percent, positionLabel } from "../base/format.js";
import { Store } from "../base/store.js";
import { api } from "../base/api.js";
import { walk } from "./walk_state.js";
import "../components/playing_card.js";

const RANKS = "AKQJT98765432";
const MODES = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
];
/** What all decks of the page show. */
const display = new Store({ mode: "strategy" });

class NextCardPicker extends Component {
  #latest = this.latestRequest();

  build() {
    this.title_ = h("h2");
    this.legend = h("span.muted.grow");
    this.modes = segmented("mode", MODES, (mode) => display.set({ mode }));
    this.message = h("p.muted");
    this.buttons = new Map([..."shdc"].flatMap((suit) => [...RANKS].map((rank) => [rank + suit, this.cardButton(rank + suit)])));
    this.replaceContent(h("div.row", this.title_, this.legend, this.modes), h("div.deck", ...this.buttons.values()), this.message);
    this.subscribe(display, "mode", (mode) => {
      press(this.modes, mode);
      this.render();
    });
    this.subscribe(walk, "position", () => this.open());
  }

  cardButton(card) {
    return h("button", { data: { card }, "aria-label": card, onclick: () => walk.step(card) }, h("playing-card", { card }), h("div.mix"), h("span"));
  }

  open() {
    const step = walk.get("view")?.steps.at(-1);
    this.hidden = step?.kind !== "card";
    this.#latest.abort();
    if (this.hidden) return;
    this.cards = null;
    this.title_.textContent = step.street === "flop" ? "Turn" : "River";
    this.legend.textContent = "";
    this.message.textContent = "";
    const dealt = new Set(step.board.match(/../g));
    for (const [name, button] of this.buttons) button.disabled = dealt.has(name);
    this.render();
    this.load();
  }

  /** Load the frequencies first, then the EVs. */
  async load() {
    const [run, line] = [walk.get("run"), walk.fullLine];
    try {
      for (const evs of [false, true]) {
        const cards = await this.#latest.send((signal) => api.cards(run, line, evs, signal));
        if (!cards) return;
        this.cards = cards;
        this.render();
        if (cards.note) break;
      }
    } catch (error) {
      this.message.textContent = error.message;
    }
  }

  render() {
    const { cards } = this;
    const mode = display.get("mode");
    const numbers = cards && mode !== "strategy" ? cards.rows[`${mode}_oop`] : null; // OOP acts first on a new street
    const values = (numbers ?? []).filter((number) => number !== null);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const indices = new Map((cards?.rows.name ?? []).map((card, k) => [card, k]));
    for (const [card, button] of this.buttons) {
      const [, mix, text] = button.children;
      const k = indices.get(card);
      const shares = k === undefined || cards.rows.frequency[0][k] === null ? null : cards.rows.frequency.map((column) => column[k]);
      mix.hidden = mode !== "strategy" || !shares;
      text.textContent = "";
      button.style.background = "";
      button.classList.remove("scaled");
      button.title = shares ? cards.labels.map((label, a) => `${actionLabel(label)} ${percent(shares[a], 0)}`).join(", ") : "";
      if (!mix.hidden) {
        mix.replaceChildren(...barParts(shares, cards.colours));
        text.textContent = percent(1 - shares[0], 0);
      } else if (numbers && k !== undefined && numbers[k] !== null) {
        button.style.background = scaleColour(high > low ? (numbers[k] - low) / (high - low) : 0.5);
        button.classList.add("scaled");
        text.textContent = mode === "ev" ? compact(numbers[k]) : percent(numbers[k], 1);
      } else if (mode !== "strategy" && cards && !cards.note && k !== undefined && !values.length) text.textContent = "…";
    }
    if (!cards) return;
    const player = positionLabel(cards.player);
    this.legend.textContent = { strategy: `strategy of ${player} on each card; the number is how often ${player} bets`, ev: `EV of ${player} on each card`, equity: `equity of ${player} on each card` }[mode];
    this.message.textContent = cards.note;
  }
}

customElements.define("next-card-picker", NextCardPicker);
