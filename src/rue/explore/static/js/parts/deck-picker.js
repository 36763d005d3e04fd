// The next card, chosen from a deck.

import { Part, h } from "../lib/element.js";
import { walk } from "../lib/walk.js";
import "./play-card.js";

const RANKS = "AKQJT98765432";

class DeckPicker extends Part {
  build() {
    this.watch(walk, "view", (view) => this.tell(view?.steps.at(-1)));
  }

  tell(step) {
    this.hidden = step?.kind !== "card";
    if (this.hidden) return;
    const gone = new Set(step.board.match(/../g));
    const cards = [..."shdc"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
    this.show(cards.map((card) =>
      h("button", { disabled: gone.has(card), data: { card }, onclick: () => walk.step(card) }, h("play-card", { card }))));
  }
}

customElements.define("deck-picker", DeckPicker);
