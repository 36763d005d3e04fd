// The hand that is played: cards, what has happened, the answers; and how the last answer was graded.

import { Part, h } from "../lib/element.js";
import { action, chips, percent, plain, position } from "../lib/format.js";
import { address } from "../lib/router.js";
import { trainer } from "../lib/training.js";
import "./play-card.js";

const ENDS = { fold: "Fold", showdown: "Showdown", allin: "All-in" };

class TrainHand extends Part {
  build() {
    this.table = h("section.panel.hand");
    this.graded = h("section.panel.graded", { "aria-live": "polite" });
    this.show(this.table, this.graded);
    this.watch(trainer, "told", (told) => told && this.tell(told));
    this.watch(trainer, "answer", (answer) => this.grade(answer));
    this.watch(trainer, "asking", (asking) => this.classList.toggle("stale", asking));
    this.listen(document, "keydown", (event) => this.press(event));
  }

  tell({ hand }) {
    const steps = hand.steps.map(({ player, word }) => (player === null ? h("play-card", { card: word }) : h("span", { class: player === hand.player ? "mine" : null }, `${position(player)} ${word}`)));
    const mine = hand.player === "out of position" ? 0 : 1;
    const facts = `pot ${chips(hand.pot)} · you have ${chips(hand.behind[mine])} behind, ${position(hand.player === "in position" ? "out of position" : "in position")} ${chips(hand.behind[1 - mine])}`;
    this.table.replaceChildren(
      h("div.row", h("h2.grow", `You are ${position(hand.player)}`), h("span.muted", facts)),
      h("div.felt", h("board-cards.board", { board: hand.over ? hand.over.board : hand.board }), h("board-cards.own", { board: hand.hand, "aria-label": "your hand" })),
      h("div.row.happened", steps.length ? steps : h("span.muted", "The hand begins.")),
      hand.over ? this.over(hand) : h("div.answers", hand.actions.map((name, k) => h("button", { data: { action: name }, style: { "--colour": hand.colours[k] }, onclick: () => trainer.answer(name) }, h("kbd", k + 1), action(hand.labels[k])))),
    );
  }

  over({ over }) {
    const won = over.won > 0 ? `you win ${chips(over.won)}` : over.won < 0 ? `you lose ${chips(-over.won)}` : "nobody wins";
    return h("div.over", h("span", `${ENDS[over.why]}: the opponent had`), h("board-cards", { board: over.other }), h("b", won), h("span.muted", "net, half of the first pot counted as put in"), h("span.grow"), h("button.primary", { data: { do: "next" }, onclick: () => trainer.deal() }, h("kbd", "↵"), "Next hand"));
  }

  grade(answer) {
    this.graded.hidden = !answer;
    if (!answer) return;
    const { decimals } = trainer.get("told");
    const rows = answer.actions.map((name, k) =>
      h("tr", { class: name === answer.chosen ? "chosen" : null },
        h("td", h("i.swatch", { style: { background: answer.colours[k] } })),
        h("td", action(answer.labels[k]), name === answer.chosen ? h("b", " · your answer") : ""),
        h("td", percent(answer.strategy[k])),
        h("td", plain(answer.evs[k], decimals)),
        h("td", plain(Math.max(...answer.evs) - answer.evs[k], decimals))));
    const lost = answer.lost > 0 ? `: ${plain(answer.lost, decimals)} chips lost, ${percent(answer.share, 2)} of the pot` : "";
    this.graded.replaceChildren(
      h("div.row", h("h2.grow", { data: { grade: answer.grade } }, `${action(answer.chosen)} is ${answer.grade}${lost}`), h("board-cards", { board: answer.hand }), h("a", { href: address("run", trainer.get("run"), answer.line.join(",")) }, "Look at it")),
      h("table", h("thead", h("tr", h("th"), h("th"), h("th", "the solution"), h("th", "EV"), h("th", "loses"))), h("tbody", rows)),
    );
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || event.target.closest?.("input, textarea, select")) return;
    const hand = trainer.get("told")?.hand;
    if (!hand) return;
    if (event.key === "Enter" || event.key === " ") {
      if (!hand.over || event.target.closest?.("button, a")) return;
      trainer.deal();
    } else if (/^[1-9]$/.test(event.key) && Number(event.key) <= hand.actions.length) trainer.answer(hand.actions[Number(event.key) - 1]);
    else return;
    event.preventDefault();
  }
}

customElements.define("train-hand", TrainHand);
