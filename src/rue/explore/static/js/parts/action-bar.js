// What the whole range does at the decision: how often each action, with how many hands, and what it earns.

import { Part, h } from "../lib/element.js";
import { action, percent, plain, position } from "../lib/format.js";
import { walk } from "../lib/walk.js";

const MODES = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
];

class ActionBar extends Part {
  build() {
    this.about = h("span.muted");
    this.who = h("h2.grow");
    this.modes = MODES.map(([mode, title]) => h("button", { data: { mode }, onclick: () => walk.set({ mode }) }, title));
    this.whole = h("div.whole");
    this.rows = h("tbody");
    const head = ["", "", "of all", "hands", "EV", "whole range"].map((title) => h("th", title));
    this.note = h("p.muted");
    this.show(h("div.row", this.who, this.about, h("div.segmented", this.modes)), this.whole, h("table", h("thead", h("tr", head)), this.rows), this.note);
    this.watch(walk, "view", (view) => view?.decision && this.tell(view.decision));
    this.watch(walk, "mode", (now) => this.modes.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.mode === now))));
  }

  tell({ player, choices, ev, equity, judged, decimals, note }) {
    this.who.textContent = `${position(player)} to act`;
    this.about.textContent = judged ? `EV ${plain(ev, decimals)} · equity ${percent(equity)}` : "";
    this.whole.replaceChildren(...choices.map(({ label, frequency, colour }) => h("i", { title: `${action(label)} ${percent(frequency)}`, style: { width: `${100 * frequency}%`, background: colour } })));
    this.rows.replaceChildren(...choices.map((choice) =>
      h("tr",
        h("td", h("i.swatch", { style: { background: choice.colour } })),
        h("td", action(choice.label)),
        h("td", h("b", percent(choice.frequency))),
        h("td", plain(choice.combos, 1)),
        h("td", choice.ev === null ? "" : plain(choice.ev, decimals)),
        h("td.muted", choice.range_ev === null ? "" : plain(choice.range_ev, decimals)))));
    this.note.textContent = note;
    this.note.hidden = !note;
  }
}

customElements.define("action-bar", ActionBar);
