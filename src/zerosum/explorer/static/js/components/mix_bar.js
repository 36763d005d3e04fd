// A bar split by action, with the frequencies beside it.

import { h } from "../base/element.js";
import { percent } from "../base/format.js";

export function mixBar({ actions, colours, strategy }) {
  if (!strategy) return h("span.mixed.muted", actions.join(", "));
  const frequencies = actions.map((action, k) => `${action} ${percent(strategy[k])}`);
  return h("span.mixed", { title: frequencies.join(", ") }, h("span.bar", strategy.map((share, k) => h("i", { style: { width: `${100 * share}%`, background: colours[k] } }))), h("span.frequencies", frequencies.join(", ")));
}
