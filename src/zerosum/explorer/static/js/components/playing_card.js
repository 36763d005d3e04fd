// A card, `<playing-card card="Ks">`, and a row of cards, `<board-cards board="Ks7h2d">`.

import { h } from "../base/element.js";
import { SUITS } from "../base/format.js";

class PlayingCard extends HTMLElement {
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
    this.replaceChildren(...cards.map((card) => h("playing-card", { card })));
  }
}

customElements.define("playing-card", PlayingCard);
customElements.define("board-cards", BoardCards);
