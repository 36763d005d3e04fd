// What the whole range does at the decision: how often each action, with how many hands, and what it earns.

import { Part, h, say } from "../lib/element.js";
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
    say(this.who, `${position(player)} to act`);
    say(this.about, judged ? `EV ${plain(ev, decimals)} · equity ${percent(equity)}` : "");
    const labels = choices.map(({ label, colour }) => `${label} ${colour}`).join();
    if (labels !== this.labels) this.renew(choices);
    this.labels = labels;
    choices.forEach(({ label, frequency, combos, ev: earned, range_ev: whole }, k) => {
      const part = this.whole.children[k];
      part.title = `${action(label)} ${percent(frequency)}`;
      part.style.width = `${100 * frequency}%`;
      const texts = [percent(frequency), plain(combos, 1), earned === null ? "" : plain(earned, decimals), whole === null ? "" : plain(whole, decimals)];
      texts.forEach((text, column) => say(this.rows.children[k].children[2 + column], text));
    });
    say(this.note, note);
    this.note.hidden = !note;
  }

  renew(choices) {
    this.whole.replaceChildren(...choices.map(({ colour }) => h("i", { style: { background: colour } })));
    this.rows.replaceChildren(...choices.map(({ label, colour }) =>
      h("tr", h("td", h("i.swatch", { style: { background: colour } })), h("td", action(label)), h("td.strong"), h("td"), h("td"), h("td.muted"))));
  }
}

customElements.define("action-bar", ActionBar);
