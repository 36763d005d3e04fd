// Bars split by action in proportion to a strategy.

import { h } from "../base/element.js";
import { actionLabel, percent } from "../base/format.js";

/** The parts of a bar, one for each action. */
export const barParts = (shares, colours) => shares.map((share, k) => h("i", { style: { width: `${100 * share}%`, background: colours[k] } }));

/** A bar that shows the frequencies when it is pointed at. */
export function mixBar(actions, shares, colours) {
  const title = actions.map((action, k) => `${actionLabel(action)} ${percent(shares[k], 0)}`).join(", ");
  return h("div.mix", { title, "aria-label": title, role: "img" }, barParts(shares, colours));
}

/** A bar with the frequencies beside it; without a strategy, the actions alone. */
export function labelledMixBar({ actions, colours, strategy }) {
  if (!strategy) return h("span.mixed.muted", actions.join(", "));
  const frequencies = actions.map((action, k) => `${action} ${percent(strategy[k])}`).join(", ");
  return h("span.mixed", { title: frequencies }, h("span.bar", barParts(strategy, colours)), h("span.frequencies", frequencies));
}
