// The columns of the table of hands: titles, sort keys, contents, widths.

import { h, setText } from "../base/element.js";
import { splitBackground } from "../components/hand_cells.js";
import { SUITS, actionLabel, percent, fixed } from "../base/format.js";
import { app } from "../base/store.js";

/** Pixels: width of a digit, width of a letter of a head. */
const [DIGIT_WIDTH, HEAD_LETTER_WIDTH] = [7.2, 6.4];
/** Pixels of padding beside the text of a cell. */
export const PADDING = 11;

/**
 * A column: `draw(cell, k, letters)` shows hand k in a cell (the column `made_hand` in at most this many letters), `text(k)` is the same
 * for the clipboard. A step draws some hundred cells, so a cell holds plain text: positioned or clipped children would each be laid
 * out and painted separately.
 */
const column = (key, title, more) => ({
  key,
  title,
  kind: "td",
  createContent: () => [],
  text: more.value,
  draw: (cell, k) => setText(cell, more.text(k)),
  ...more,
  width: Math.max(more.width ?? 0, title.length * HEAD_LETTER_WIDTH + PADDING),
});

/** Return the width of the longest of some amounts. */
function amountWidth(amounts, decimals) {
  const numbers = amounts.filter((amount) => amount !== null);
  return DIGIT_WIDTH * Math.max(4, ...[Math.min(...numbers), Math.max(...numbers)].map((number) => fixed(number, decimals).length)) + PADDING;
}

/** Columns that are drawn as a part of others, or not at all. */
const HIDDEN = new Set(["hand_class", "draws", "locked", "ev_loss"]);

/** How the numbers of a column are written, by their unit. */
const FORMATS = {
  ev: (decimals) => (number) => fixed(number, decimals),
  share: () => (number) => percent(number),
  combos: () => (number) => percent(number, 0), // how much is left of one hand
};

/** Return the columns of a decision, in the order in which the server declares them; those of each action come last. */
export function columnsOf(decision) {
  const declared = app.get("server").tables.decision.filter(({ name }) => !HIDDEN.has(name));
  const { actions } = decision;
  return [
    ...declared.filter((column) => !column.per_action || column.name === "frequency").map((column) => (DRAWN[column.name] ?? plainColumn)(decision, column)),
    ...actions.flatMap((action, a) => declared.filter((column) => column.per_action).map((column) => actionColumn(decision, column, action, a))),
  ];
}

/** A column of EVs or equities is empty until they are computed. */
const isLate = ({ name, unit }) => unit === "ev" || name === "equity";

/** Return a column of numbers or texts, written by their unit. */
function numberColumn({ has_ev: hasEv, decimals }, { unit, name }, values, placeholder) {
  const format = FORMATS[unit]?.(decimals) ?? String;
  if (!isLate({ name, unit })) return { value: (k) => values[k], text: (k) => format(values[k]), width: 46 };
  return {
    value: (k) => (hasEv ? values[k] : null),
    text: (k) => (hasEv ? format(values[k]) : placeholder),
    draw: (cell, k) => hasEv && setText(cell, format(values[k])), // before, the cell is hidden, so that it is laid out once
    width: unit !== "ev" ? 52 : hasEv ? amountWidth(values, decimals) : 0,
  };
}

const plainColumn = (decision, declared) => {
  const kind = declared.name === "ev" ? "td.strong.ev" : isLate(declared) ? "td.ev" : "td";
  return column(declared.name, declared.title, { kind, about: declared.help, ...numberColumn(decision, declared, decision.columns[declared.name], "…") });
};

const actionColumn = (decision, declared, { name, label }, a) => {
  if (declared.name === "frequency") {
    const shares = decision.columns.frequency[a];
    return column(name, actionLabel(name), { about: label, value: (k) => shares[k], text: (k) => percent(shares[k], 0), width: 44 });
  }
  const more = numberColumn(decision, declared, decision.columns[declared.name]?.[a], "");
  return column(`${declared.title} ${name}`, declared.title, { kind: isLate(declared) ? "td.muted.ev" : "td.muted", about: `${declared.title} of ${label}`, ...more });
};

/** Columns that show more than text. */
const DRAWN = {
  hand: ({ columns }, { name, title }) => column(name, title, { value: (k) => -k, text: (k) => columns.hand[k], width: 48, createContent: () => [h("span"), h("span")], draw: drawHand(columns.hand) }),
  made_hand: ({ columns }, { name, title }) => column(name, title, {
    kind: "td.text",
    value: (k) => columns.made_hand[k],
    text: (k) => [columns.made_hand[k], ...columns.draws[k]].join(", "),
    width: 130,
    createContent: () => [h("span"), h("span.muted")],
    draw: drawMadeHand(columns),
  }),
  frequency: ({ columns, actions }, { title }) => column("mix", title, {
    kind: "td.plays",
    value: (k) => columns.frequency.at(-1)[k],
    text: null,
    width: 70,
    draw: (cell, k) => setBackground(cell, splitBackground(columns.frequency.map((shares) => shares[k]), actions.map(({ colour }) => colour))),
  }),
};

const drawHand = (hands) => (cell, k) => {
  const name = hands[k];
  if (cell.hand === name) return;
  cell.hand = name;
  [0, 2].forEach((start, card) => {
    cell.children[card].className = `suit-${name[start + 1]}`;
    cell.children[card].textContent = `${name[start]}${SUITS[name[start + 1]]}`;
  });
};

const drawMadeHand = (columns) => (cell, k, letters) => {
  const [made, draws] = [columns.made_hand[k], columns.draws[k].join(", ")];
  setText(cell.firstChild, made);
  setText(cell.lastChild, draws && ` ${shorten(draws, letters - made.length - 1)}`);
  if (cell.title !== draws) cell.title = draws;
};

const shorten = (text, letters) => (text.length > letters ? `${text.slice(0, Math.max(0, letters - 1)).trimEnd()}…` : text);

function setBackground(cell, background) {
  if (cell.background === background) return;
  cell.background = background;
  cell.style.backgroundImage = background;
}
