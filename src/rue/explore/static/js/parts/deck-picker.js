// The next card, chosen from a deck that shows for each card what the player to act does on it, and what it is worth.

import { Part, h } from "../lib/element.js";
import { scaled } from "../lib/colour.js";
import { action, brief, percent, position } from "../lib/format.js";
import { Latest } from "../lib/latest.js";
import { Store } from "../lib/store.js";
import { api } from "../lib/protocol.js";
import { walk } from "../lib/walk.js";
import "./play-card.js";

const RANKS = "AKQJT98765432";
const MODES = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
];
/** What the deck shows, for the whole page. */
const shown = new Store({ mode: "strategy" });

class DeckPicker extends Part {
  #latest = new Latest();

  build() {
    this.title_ = h("h2");
    this.legend = h("span.muted.grow");
    this.modes = MODES.map(([mode, title]) => h("button", { data: { mode }, onclick: () => shown.set({ mode }) }, title));
    this.sentence = h("p.muted");
    this.cards = new Map([..."shdc"].flatMap((suit) => [...RANKS].map((rank) => [rank + suit, this.card(rank + suit)])));
    this.show(h("div.row", this.title_, this.legend, h("div.segmented", this.modes)), h("div.deck", ...this.cards.values()), this.sentence);
    this.watch(shown, "mode", (mode) => {
      for (const button of this.modes) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
      this.dress();
    });
    this.watch(walk, "point", () => this.open());
    this.during(() => () => this.#latest.end());
  }

  card(card) {
    return h("button", { data: { card }, "aria-label": card, onclick: () => walk.step(card) }, h("play-card", { card }), h("div.mix"), h("span"));
  }

  open() {
    const step = walk.get("view")?.steps.at(-1);
    this.hidden = step?.kind !== "card";
    this.#latest.end();
    if (this.hidden) return;
    this.found = null;
    this.title_.textContent = step.street === "flop" ? "Turn" : "River";
    this.legend.textContent = "";
    this.sentence.textContent = "";
    const gone = new Set(step.board.match(/../g));
    for (const [name, button] of this.cards) button.disabled = gone.has(name);
    this.dress();
    this.ask();
  }

  /** First what is played, then what it earns. */
  async ask() {
    const [run, line] = [walk.get("run"), walk.words];
    try {
      for (const evs of [false, true]) {
        const found = await this.#latest.ask((signal) => api.cards(run, line, evs, signal));
        if (!found) return;
        this.found = found;
        this.dress();
        if (found.note) break;
      }
    } catch (error) {
      this.sentence.textContent = error.message;
    }
  }

  dress() {
    const { found } = this;
    const mode = shown.get("mode");
    const numbers = found && mode !== "strategy" ? found[mode] : null;
    const known = (numbers ?? []).filter((number) => number !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const at = new Map((found?.card ?? []).map((card, k) => [card, k]));
    for (const [card, button] of this.cards) {
      const [, mix, text] = button.children;
      const k = at.get(card);
      const shares = k === undefined ? null : found.frequencies[k];
      mix.hidden = mode !== "strategy" || !shares;
      text.textContent = "";
      button.style.background = "";
      button.classList.remove("scaled");
      button.title = shares ? found.labels.map((label, a) => `${action(label)} ${percent(shares[a], 0)}`).join(", ") : "";
      if (!mix.hidden) {
        mix.replaceChildren(...shares.map((share, a) => h("i", { style: { width: `${100 * share}%`, background: found.colours[a] } })));
        text.textContent = percent(1 - shares[0], 0);
      } else if (numbers && k !== undefined && numbers[k] !== null) {
        button.style.background = scaled(high > low ? (numbers[k] - low) / (high - low) : 0.5);
        button.classList.add("scaled");
        text.textContent = mode === "ev" ? brief(numbers[k]) : percent(numbers[k], 1);
      } else if (mode !== "strategy" && found && !found.note && k !== undefined && !known.length) text.textContent = "…";
    }
    if (!found) return;
    const who = position(found.player);
    this.legend.textContent = { strategy: `how ${who} plays on each card; the number is how often ${who} bets`, ev: `what ${who} earns on each card`, equity: `the equity of ${who} on each card` }[mode];
    this.sentence.textContent = found.note;
  }
}

customElements.define("deck-picker", DeckPicker);
