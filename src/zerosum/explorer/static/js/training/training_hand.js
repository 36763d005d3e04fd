// The hand being played (cards, actions so far, answers), and the grade of the last answer.

import { Component, h } from "../base/element.js";
import { actionLabel, chips, percent, fixed, positionLabel } from "../base/format.js";
import { formatAddress } from "../base/router.js";
import { trainingState } from "./training_state.js";
import "../components/playing_card.js";

const ENDINGS = { fold: "Fold", showdown: "Showdown", allin: "All-in" };

class TrainingHand extends Component {
  build() {
    this.table = h("section.panel.hand");
    this.grade = h("section.panel.grade", { "aria-live": "polite" });
    this.replaceContent(this.table, this.grade);
    this.subscribe(trainingState, "training", (training) => training && this.render(training));
    this.subscribe(trainingState, "answer", (answer) => this.renderGrade(answer));
    this.subscribe(trainingState, "busy", (busy) => this.classList.toggle("stale", busy));
    this.listen(document, "keydown", (event) => this.onKey(event));
  }

  render({ hand }) {
    const steps = hand.steps.map(({ player, word }) => (player === null ? h("playing-card", { card: word }) : h("span", { class: player === hand.player ? "mine" : null }, `${positionLabel(player)} ${word}`)));
    const seat = hand.player === "out of position" ? 0 : 1;
    const facts = `pot ${chips(hand.pot)} · you have ${chips(hand.stacks[seat])} behind, ${positionLabel(hand.player === "in position" ? "out of position" : "in position")} ${chips(hand.stacks[1 - seat])}`;
    this.table.replaceChildren(
      h("div.row", h("h2.grow", `You are ${positionLabel(hand.player)}`), h("span.muted", facts)),
      h("div.felt", h("board-cards.board", { board: hand.outcome ? hand.outcome.board : hand.board }), h("board-cards.hole-cards", { board: hand.hand, "aria-label": "your hand" })),
      h("div.row.history", steps.length ? steps : h("span.muted", "No actions yet.")),
      hand.outcome ? this.createEnding(hand) : h("div.answers", hand.actions.map((name, k) => h("button", { data: { action: name }, style: { "--colour": hand.colours[k] }, onclick: () => trainingState.answer(name) }, h("kbd", k + 1), actionLabel(hand.labels[k])))),
    );
  }

  createEnding({ outcome }) {
    const won = outcome.won > 0 ? `you win ${chips(outcome.won)}` : outcome.won < 0 ? `you lose ${chips(-outcome.won)}` : "nobody wins";
    return h("div.ending", h("span", `${ENDINGS[outcome.ending]}: the opponent had`), h("board-cards", { board: outcome.opponent_hand }), h("b", won), h("span.muted", "net; half of the starting pot counts as yours"), h("span.grow"), h("button.primary", { data: { do: "next" }, onclick: () => trainingState.deal() }, h("kbd", "↵"), "Next hand"));
  }

  renderGrade(answer) {
    this.grade.hidden = !answer;
    if (!answer) return;
    const { decimals } = trainingState.get("training");
    const rows = answer.actions.map((name, k) =>
      h("tr", { class: name === answer.chosen ? "chosen" : null },
        h("td", h("i.swatch", { style: { background: answer.colours[k] } })),
        h("td", actionLabel(answer.labels[k]), name === answer.chosen ? h("b", " · your answer") : ""),
        h("td", percent(answer.strategy[k])),
        h("td", fixed(answer.evs[k], decimals)),
        h("td", fixed(Math.max(...answer.evs) - answer.evs[k], decimals))));
    const loss = answer.loss > 0 ? `: ${fixed(answer.loss, decimals)} chips lost, ${percent(answer.share, 2)} of the pot` : "";
    this.grade.replaceChildren(
      h("div.row", h("h2.grow", { data: { grade: answer.grade } }, `${actionLabel(answer.chosen)} is ${answer.grade}${loss}`), h("board-cards", { board: answer.hand }), h("a", { href: formatAddress("run", trainingState.get("run"), answer.line.join(",")) }, "Show the decision")),
      h("table", h("thead", h("tr", h("th"), h("th"), h("th", "solution"), h("th", "EV"), h("th", "loss"))), h("tbody", rows)),
    );
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || event.target.closest?.("input, textarea, select")) return;
    const hand = trainingState.get("training")?.hand;
    if (!hand) return;
    if (event.key === "Enter" || event.key === " ") {
      if (!hand.outcome || event.target.closest?.("button, a")) return;
      trainingState.deal();
    } else if (/^[1-9]$/.test(event.key) && Number(event.key) <= hand.actions.length) trainingState.answer(hand.actions[Number(event.key) - 1]);
    else return;
    event.preventDefault();
  }
}

customElements.define("training-hand", TrainingHand);
