// A board, chosen from a deck: `element.value = "Ks 7h 2d"`; a `change` event tells when it has become another one.

import { Part, h } from "../lib/element.js";
import "./play-card.js";

const RANKS = "AKQJT98765432";
const MOST = 5;

class CardPicker extends Part {
  #cards = [];

  build() {
    this.text = h("input", {
      placeholder: "Ks 7h 2d",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "board",
      name: "board",
      oninput: () => this.typed(),
    });
    this.deck = h("div.deck", [..."shdc"].flatMap((suit) => [...RANKS].map((rank) => this.card(rank + suit))));
    const random = (count, title) => h("button", { onclick: () => this.random(count), data: { random: count } }, title);
    this.show(
      h("div.row", h("div.grow", this.text), h("span.muted", "random"), random(3, "flop"), random(4, "turn"), random(5, "river"),
        h("button.quiet", { onclick: () => this.choose([]) }, "Clear")),
      this.deck,
    );
    this.dress();
  }

  card(card) {
    return h("button", { data: { card }, "aria-label": card, onclick: () => this.turn(card) }, h("play-card", { card }));
  }

  get value() {
    return this.text.value;
  }

  set value(text) {
    this.text.value = text;
    this.#cards = cardsOf(text);
    this.dress();
  }

  typed() {
    this.#cards = cardsOf(this.text.value);
    this.dress();
    this.tell();
  }

  turn(card) {
    const there = this.#cards.includes(card);
    if (!there && this.#cards.length >= MOST) return;
    this.choose(there ? this.#cards.filter((each) => each !== card) : [...this.#cards, card]);
  }

  random(count) {
    const deck = [...RANKS].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));
    this.choose(Array.from({ length: count }, () => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]));
  }

  choose(cards) {
    this.#cards = cards;
    this.text.value = cards.join(" ");
    this.dress();
    this.tell();
  }

  dress() {
    for (const button of this.deck.children) {
      button.setAttribute("aria-pressed", String(this.#cards.includes(button.dataset.card)));
    }
  }

  tell() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** The cards that a text plainly names, to mark them in the deck; the server reads the text itself. */
const cardsOf = (text) => (spelled(text).match(/[2-9tjqka][shdc]/gi) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());

/** `10♥` as `Th`. */
const spelled = (text) => text.replaceAll("10", "T").replace(/[♠♥♦♣♤♡♢♧]/g, (symbol) => "shdc"["♠♥♦♣♤♡♢♧".indexOf(symbol) % 4]);

customElements.define("card-picker", CardPicker);
