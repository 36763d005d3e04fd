// The line as a row of decisions: each with all its actions and how often they are taken, each card, and the end.

import { Part, h } from "../lib/element.js";
import { action, chips, percent, position } from "../lib/format.js";
import { walk } from "../lib/walk.js";
import "./play-card.js";

const ENDS = { showdown: "Showdown", allin: "All-in: the cards decide" };

class LineBar extends Part {
  shown = new Map();
  /** The steps as they are drawn, by what they say. */

  build() {
    this.setAttribute("aria-label", "the line");
    this.watch(walk, "view", (view) => view && this.tell(view));
  }

  /** Steps that are shown already stay as they are. */
  tell({ steps, line }) {
    const last = steps.length - 1;
    const keys = steps.map((step, k) => JSON.stringify([line.slice(0, k), step, k === last]));
    if (keys.join() === [...this.shown.keys()].join()) return;
    this.shown = new Map(keys.map((key, k) => [key, this.shown.get(key) ?? this.step(steps[k], k, line, k === last)]));
    this.show(...this.shown.values());
    requestAnimationFrame(() => (this.scrollLeft = this.scrollWidth));
  }

  step(step, k, line, last) {
    const before = line.slice(0, k);
    const classes = `panel step ${last ? "now" : "past"}`;
    if (step.kind === "decision") return this.decision(step, before, classes);
    const head = h("div.head", h("b", step.kind === "card" ? next(step.street) : "End"), h("span", chips(step.pot)));
    if (step.kind === "over") {
      const told = step.why === "fold" ? `${position(step.player)} wins the pot` : ENDS[step.why];
      return h("div", { class: `${classes} chance` }, head, h("board-cards", { board: step.board }), h("span.muted", told));
    }
    const card = step.taken && h("button.quiet", { title: "Another card", onclick: () => walk.to(before) }, h("play-card", { card: step.taken }));
    return h("div", { class: `${classes} chance` }, head, h("board-cards", { board: step.board }), card || h("span.muted", "Which card?"));
  }

  decision(step, before, classes) {
    const rows = step.actions.map((name, k) => {
      const share = step.frequencies[k];
      const colour = step.colours[k];
      return h("button.action", {
        class: `action${name === step.taken ? " taken" : ""}`,
        title: `${action(step.labels[k])}: ${percent(share)}`,
        style: { "--colour": colour },
        data: { action: name },
        onclick: () => walk.to([...before, name]),
      }, h("i", { style: { width: `${100 * share}%`, background: colour } }), h("span", action(name)), h("span", percent(share, share > 0.0995 || share === 0 ? 0 : 1)));
    });
    return h("div", { class: classes }, h("div.head", h("b", position(step.player)), h("span", `pot ${chips(step.pot)}`)), rows);
  }
}

const next = (street) => ({ flop: "Turn", turn: "River" })[street];

customElements.define("line-bar", LineBar);
