// The line as a row of steps: decisions with their actions and frequencies, cards, the end.

import { Component, h, whenReleased } from "../base/element.js";
import { actionLabel, capitalize, chips, percent, positionLabel } from "../base/format.js";
import { walk } from "./walk_state.js";
import "../components/playing_card.js";

const ENDINGS = { showdown: "Showdown", allin: "All-in: run out the board" };

class LineBar extends Component {
  /** The elements of the steps, by their content. */
  elements = new Map();

  build() {
    this.setAttribute("aria-label", "line");
    this.subscribe(walk, "view", (view) => view && whenReleased(this, () => this.render()));
  }

  /** Show the steps; elements of unchanged steps are reused. */
  render() {
    const view = walk.get("view");
    if (!view) return;
    const { steps, line } = view;
    const last = steps.length - 1;
    const keys = steps.map((step, k) => JSON.stringify([line.slice(0, k), step, k === last]));
    if (keys.join() === [...this.elements.keys()].join()) return;
    this.elements = new Map(keys.map((key, k) => [key, this.elements.get(key) ?? this.createStep(steps[k], k, line, k === last)]));
    const { street, board } = steps[0];
    this.replaceContent(h("div.panel.start", h("div.head", h("b", capitalize(street))), h("board-cards", { board })), ...this.elements.values());
    requestAnimationFrame(() => (this.scrollLeft = this.scrollWidth));
  }

  createStep(step, k, line, isLast) {
    const lineBefore = line.slice(0, k);
    const classes = `panel step ${isLast ? "current" : "past"}`;
    if (step.kind === "decision") return this.createDecision(step, lineBefore, classes);
    const head = h("div.head", h("b", step.kind === "card" ? nextStreet(step.street) : "End"), h("span", `pot ${chips(step.pot)}`));
    if (step.kind === "end") {
      const outcome = step.ending === "fold" ? `${positionLabel(step.player)} wins the pot` : ENDINGS[step.ending];
      return h("div", { class: `${classes} chance` }, head, h("board-cards", { board: step.board }), h("span.muted", outcome));
    }
    const card = step.chosen && h("button.quiet", { title: "Another card", onclick: () => walk.to(lineBefore) }, h("playing-card", { card: step.chosen }));
    return h("div", { class: `${classes} chance` }, head, h("board-cards", { board: step.board }), card || h("span.muted", "Which card?"));
  }

  createDecision(step, lineBefore, classes) {
    const rows = step.actions.map((name, k) => {
      const share = step.frequencies[k];
      const colour = step.colours[k];
      return h("button.action", {
        class: `action${name === step.chosen ? " taken" : ""}`,
        title: `${actionLabel(step.labels[k])}: ${percent(share)}`,
        style: { "--colour": colour },
        data: { action: name },
        onclick: () => walk.to([...lineBefore, name]),
      }, h("i", { style: { width: `${100 * share}%`, background: colour } }), h("span", actionLabel(name)), h("span", percent(share, share > 0.0995 || share === 0 ? 0 : 1)));
    });
    return h("div", { class: classes }, h("div.head", h("b", positionLabel(step.player)), h("span", `pot ${chips(step.pot)}`)), rows);
  }
}

const nextStreet = (street) => ({ flop: "Turn", turn: "River" })[street];

customElements.define("line-bar", LineBar);
