// The strategy of the whole range at the decision: frequency, hands and EV of each action.

import { Component, h, press, segmented, setText } from "../base/element.js";
import { actionLabel, percent, fixed, positionLabel } from "../base/format.js";
import { walk } from "./walk_state.js";

const MODES = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
];

class ActionBar extends Component {
  build() {
    this.summary = h("span.muted");
    this.player = h("h2.grow");
    this.modes = segmented("mode", MODES, (mode) => walk.set({ mode }));
    this.bar = h("div.whole");
    this.rows = h("tbody");
    const head = ["", "", "frequency", "hands", "EV", "whole range"].map((title) => h("th", title));
    this.note = h("p.muted");
    this.replaceContent(h("div.row", this.player, this.summary, this.modes), this.bar, h("table", h("thead", h("tr", head)), this.rows), this.note);
    this.subscribe(walk, "view", (view) => view?.decision && this.render(view.decision));
    this.subscribe(walk, "mode", (mode) => press(this.modes, mode));
  }

  render({ player, actions, ev, equity, has_ev: hasEv, decimals, note }) {
    setText(this.player, `${positionLabel(player)} to act`);
    setText(this.summary, hasEv ? `EV ${fixed(ev, decimals)} · equity ${percent(equity)}` : "");
    const labels = actions.map(({ label, colour }) => `${label} ${colour}`).join();
    if (labels !== this.labels) this.rebuildRows(actions);
    this.labels = labels;
    actions.forEach(({ label, frequency, combos, ev: actionEv, range_ev: rangeEv }, k) => {
      const section = this.bar.children[k];
      section.title = `${actionLabel(label)} ${percent(frequency)}`;
      section.style.width = `${100 * frequency}%`;
      const texts = [percent(frequency), fixed(combos, 1), actionEv === null ? "" : fixed(actionEv, decimals), rangeEv === null ? "" : fixed(rangeEv, decimals)];
      texts.forEach((text, column) => setText(this.rows.children[k].children[2 + column], text));
    });
    setText(this.note, note);
    this.note.hidden = !note;
  }

  rebuildRows(actions) {
    this.bar.replaceChildren(...actions.map(({ colour }) => h("i", { style: { background: colour } })));
    this.rows.replaceChildren(...actions.map(({ label, colour }) =>
      h("tr", h("td", h("i.swatch", { style: { background: colour } })), h("td", actionLabel(label)), h("td.strong"), h("td"), h("td"), h("td.muted"))));
  }
}

customElements.define("action-bar", ActionBar);
