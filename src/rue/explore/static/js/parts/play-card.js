// A card, `<play-card card="Ks">`, and a row of cards, `<board-cards board="Ks7h2d">`.

import { h } from "../lib/element.js";
import { SUITS } from "../lib/format.js";

class PlayCard extends HTMLElement {
  static observedAttributes = ["card"];

  attributeChangedCallback() {
    const card = this.getAttribute("card") ?? "";
    this.setAttribute("suit", card[1] ?? "");
    this.setAttribute("aria-label", card);
    this.textContent = card ? `${card[0]}${SUITS[card[1]]}` : "";
  }
}

class BoardCards extends HTMLElement {
  static observedAttributes = ["board"];

  attributeChangedCallback() {
    const cards = (this.getAttribute("board") ?? "").match(/../g) ?? [];
    this.replaceChildren(...cards.map((card) => h("play-card", { card })));
  }
}

customElements.define("play-card", PlayCard);
customElements.define("board-cards", BoardCards);
