// Pick a board from a deck or type it: `element.value = "Ks 7h 2d"`; sends a `change` event when the board changes.

import { Component, h } from "../base/element.js";
import "./playing_card.js";

const RANKS = "AKQJT98765432";
const MAX_CARDS = 5;

class CardPicker extends Component {
  #cards = [];

  build() {
    this.text = h("input", {
      placeholder: "Ks 7h 2d",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "board",
      name: "board",
      oninput: () => this.onInput(),
    });
    this.deck = h("div.deck", [..."shdc"].flatMap((suit) => [...RANKS].map((rank) => this.cardButton(rank + suit))));
    const random = (count, title) => h("button", { onclick: () => this.deal(count), data: { random: count } }, title);
    this.replaceContent(
      h("div.row", h("div.grow", this.text), h("span.muted", "random"), random(3, "flop"), random(4, "turn"), random(5, "river"),
        h("button.quiet", { onclick: () => this.choose([]) }, "Clear")),
      this.deck,
    );
    this.markCards();
  }

  cardButton(card) {
    return h("button", { data: { card }, "aria-label": card, onclick: () => this.toggleCard(card) }, h("playing-card", { card }));
  }

  get value() {
    return this.text.value;
  }

  set value(text) {
    this.text.value = text;
    this.#cards = parseCards(text);
    this.markCards();
  }

  onInput() {
    this.#cards = parseCards(this.text.value);
    this.markCards();
    this.dispatchChange();
  }

  toggleCard(card) {
    const isChosen = this.#cards.includes(card);
    if (!isChosen && this.#cards.length >= MAX_CARDS) return;
    this.choose(isChosen ? this.#cards.filter((chosen) => chosen !== card) : [...this.#cards, card]);
  }

  deal(count) {
    const deck = [...RANKS].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));
    this.choose(Array.from({ length: count }, () => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]));
  }

  choose(cards) {
    this.#cards = cards;
    this.text.value = cards.join(" ");
    this.markCards();
    this.dispatchChange();
  }

  markCards() {
    for (const button of this.deck.children) {
      button.setAttribute("aria-pressed", String(this.#cards.includes(button.dataset.card)));
    }
  }

  dispatchChange() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** The cards in a text, to mark them in the deck; the server parses the text itself. */
const parseCards = (text) => (plainSuits(text).match(/[2-9tjqka][shdc]/gi) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());

/** Replace suit symbols by letters: `10♥` becomes `Th`. */
const plainSuits = (text) => text.replaceAll("10", "T").replace(/[♠♥♦♣♤♡♢♧]/g, (symbol) => "shdc"["♠♥♦♣♤♡♢♧".indexOf(symbol) % 4]);

customElements.define("card-picker", CardPicker);
