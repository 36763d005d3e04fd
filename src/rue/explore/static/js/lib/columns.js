// The columns of the table of hands: how they are called, what they are sorted by, what they show and how wide they are.

import { h, say } from "./element.js";
import { split } from "./cells.js";
import { SUITS, action, percent, plain } from "./format.js";

const [LETTER, SMALL] = [7.2, 6.4];
/** Pixels of a digit, and of a letter of a head. */
export const EDGE = 11;
/** Pixels beside the text of a cell. */

/**
 * A column: `draw(cell, k, letters)` lets a cell show the hand k, in so many letters if it is `made`; `text(k)` is the same to
 * be copied. A step draws some hundred cells, so a cell is text and nothing else: what is placed or clipped by itself is
 * laid out and painted apart.
 */
const column = (key, title, more) => ({
  key,
  title,
  kind: "td",
  make: () => [],
  text: more.value,
  draw: (cell, k) => say(cell, more.text(k)),
  ...more,
  width: Math.max(more.width ?? 0, title.length * SMALL + EDGE),
});

/** Room for the longest of some amounts. */
function room(amounts, decimals) {
  const known = amounts.filter((amount) => amount !== null);
  return LETTER * Math.max(4, ...[Math.min(...known), Math.max(...known)].map((end) => plain(end, decimals).length)) + EDGE;
}

/** The columns of a decision. */
export function columnsOf({ hands, choices, judged, decimals }) {
  const colours = choices.map(({ colour }) => colour);
  const later = (numbers, text, unknown, width) => ({
    value: (k) => (judged ? numbers[k] : null),
    text: (k) => (judged ? text(numbers[k]) : unknown),
    draw: (cell, k) => judged && say(cell, text(numbers[k])), // until then the cell is hidden: nothing is laid out twice
    width,
  });
  const amount = (numbers, unknown) => later(numbers, (number) => plain(number, decimals), unknown, judged ? room(numbers, decimals) : 0);
  const mix = (k) => hands.strategy.map((shares) => shares[k]);
  return [
    column("hand", "Hand", { value: (k) => -k, text: (k) => hands.name[k], width: 48, make: () => [h("span"), h("span")], draw: drawHand(hands) }),
    column("made", "Makes", { kind: "td.text", value: (k) => hands.made[k], text: (k) => [hands.made[k], ...hands.draws[k]].join(", "), width: 130, make: () => [h("span"), h("span.muted")], draw: drawMade(hands) }),
    column("reach", "Reach", { value: (k) => hands.reach[k], text: (k) => percent(hands.reach[k], 0), width: 46 }),
    column("mix", "Plays", { kind: "td.plays", value: (k) => hands.strategy.at(-1)[k], text: null, width: 70, draw: (cell, k) => dress(cell, split(mix(k), colours)) }),
    column("ev", "EV", { kind: "td.strong.later", about: "what the hand earns from here on", ...amount(hands.ev, "…") }),
    column("equity", "Equity", { kind: "td.later", ...later(hands.equity, percent, "…", 52) }),
    ...choices.flatMap(({ name, label }, a) => [
      column(name, action(name), { about: label, value: (k) => hands.strategy[a][k], text: (k) => percent(hands.strategy[a][k], 0), width: 44 }),
      column(`EV ${name}`, "EV", { kind: "td.muted.later", about: `what ${label} earns`, ...amount(hands.evs?.[a], "") }),
    ]),
  ];
}

const drawHand = (hands) => (cell, k) => {
  const name = hands.name[k];
  if (cell.hand === name) return;
  cell.hand = name;
  [0, 2].forEach((at, card) => {
    cell.children[card].className = `suit-${name[at + 1]}`;
    cell.children[card].textContent = `${name[at]}${SUITS[name[at + 1]]}`;
  });
};

const drawMade = (hands) => (cell, k, letters) => {
  const [made, draws] = [hands.made[k], hands.draws[k].join(", ")];
  say(cell.firstChild, made);
  say(cell.lastChild, draws && ` ${shortened(draws, letters - made.length - 1)}`);
  if (cell.title !== draws) cell.title = draws;
};

const shortened = (text, letters) => (text.length > letters ? `${text.slice(0, Math.max(0, letters - 1)).trimEnd()}…` : text);

function dress(cell, ground) {
  if (cell.ground === ground) return;
  cell.ground = ground;
  cell.style.backgroundImage = ground;
}
