// The columns of the table of hands: how they are called, what they are sorted by, what they show and how wide they are.

import { h, say } from "./element.js";
import { split } from "./cells.js";
import { action, percent, plain } from "./format.js";
import "../parts/play-card.js";

const [LETTER, SMALL, EDGE] = [7.2, 6.4, 11];
/** Pixels of a digit, of a letter of a head, and of what stands beside them. */

/** A column: `draw(cell, k)` lets a cell show the hand k, `text(k)` is the same to be copied. */
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
  const amount = (numbers, unknown) => ({
    value: (k) => (judged ? numbers[k] : null),
    text: (k) => (judged ? plain(numbers[k], decimals) : unknown),
    width: judged ? room(numbers, decimals) : 0,
  });
  const mix = (k) => hands.strategy.map((shares) => shares[k]);
  return [
    column("hand", "Hand", { value: (k) => -k, text: (k) => hands.name[k], width: 48, make: () => [h("play-card"), h("play-card")], draw: drawHand(hands) }),
    column("made", "Makes", { kind: "td.text", value: (k) => hands.made[k], text: (k) => [hands.made[k], ...hands.draws[k]].join(", "), width: 130, make: () => [h("span"), h("span.muted")], draw: drawMade(hands) }),
    column("reach", "Reach", { value: (k) => hands.reach[k], text: (k) => percent(hands.reach[k], 0), width: 46 }),
    column("mix", "Plays", { value: (k) => hands.strategy.at(-1)[k], text: null, width: 70, make: () => [h("div.mix")], draw: (cell, k) => dress(cell.firstChild, split(mix(k), colours)) }),
    column("ev", "EV", { kind: "td.strong", about: "what the hand earns from here on", ...amount(hands.ev, "…") }),
    column("equity", "Equity", { value: (k) => (judged ? hands.equity[k] : null), text: (k) => (judged ? percent(hands.equity[k]) : "…"), width: 52 }),
    ...choices.flatMap(({ name, label }, a) => [
      column(name, action(name), { about: label, value: (k) => hands.strategy[a][k], text: (k) => percent(hands.strategy[a][k], 0), width: 44 }),
      column(`EV ${name}`, "EV", { kind: "td.muted", about: `what ${label} earns`, ...amount(hands.evs?.[a], "") }),
    ]),
  ];
}

const drawHand = (hands) => (cell, k) => {
  [hands.name[k].slice(0, 2), hands.name[k].slice(2)].forEach((card, at) => {
    if (cell.children[at].getAttribute("card") !== card) cell.children[at].setAttribute("card", card);
  });
};

const drawMade = (hands) => (cell, k) => {
  const draws = hands.draws[k].join(", ");
  say(cell.firstChild, hands.made[k]);
  say(cell.lastChild, draws && ` ${draws}`);
  if (cell.title !== draws) cell.title = draws;
};

function dress(element, ground) {
  if (element.ground === ground) return;
  element.ground = ground;
  element.style.backgroundImage = ground;
}
