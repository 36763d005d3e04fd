// The score, its history, and the places of mistakes.

import { Component, h, press, segmented, svg } from "../base/element.js";
import { actionLabel, percent, fixed } from "../base/format.js";
import { formatAddress } from "../base/router.js";
import { trainingState } from "./training_state.js";
import "../components/playing_card.js";

const TABLES = [
  ["lines", "By line", "line"],
  ["classes", "By hand", "class"],
  ["made_hands", "By made hand", "made hand"],
];

class TrainingScore extends Component {
  chosen = "lines";

  build() {
    this.numbers = h("dl.facts");
    this.history = h("figure");
    this.tabs = segmented("table", [...TABLES, ["mistakes", "Mistakes"]].map(([key, title]) => [key, title]), (key) => this.choose(key));
    this.content = h("div.scroll");
    this.replaceContent(h("section.panel", h("h2", "Score"), this.numbers, this.history), h("section.panel", this.tabs, this.content));
    this.subscribe(trainingState, "training", (training) => training && this.render(training));
  }

  choose(key) {
    this.chosen = key;
    this.render(trainingState.get("training"));
  }

  render(training) {
    const { score, decimals } = training;
    const rows = [
      ["answers", score.answers.toLocaleString("en")],
      ["right", score.answers ? `${score.right} · ${percent(score.right / score.answers, 0)}` : "–"],
      ["average loss", score.share === null ? "–" : `${percent(score.share, 2)} of the pot`],
      ["total loss", `${fixed(score.loss, decimals)} chips`],
    ];
    this.numbers.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", name), h("dd", { data: { score: name } }, value)]));
    this.history.replaceChildren(...(score.history.length > 1 ? [h("figcaption", "Average loss in % of the pot, over all answers so far"), historyChart(score.history)] : []));
    press(this.tabs, this.chosen);
    this.content.replaceChildren(this.chosen === "mistakes" ? this.mistakes(training) : this.table(training));
  }

  table({ score, decimals }) {
    const [key, , title] = TABLES.find(([name]) => name === this.chosen);
    const rows = score[key].map(({ name, answers, wrong, loss }) => h("tr", h("td", name), h("td", answers), h("td", wrong), h("td", fixed(loss / answers, decimals)), h("td", h("b", fixed(loss, decimals)))));
    return rows.length ? h("table", h("thead", h("tr", [title, "answers", "wrong", "average loss", "total loss"].map((head) => h("th", head)))), h("tbody", rows)) : h("p.muted", "No answers yet.");
  }

  mistakes({ mistakes, decimals }) {
    if (!mistakes.length) return h("p.muted", "No mistakes yet.");
    const rows = mistakes.map((mistake) => h("tr", h("td", h("board-cards", { board: mistake.hand })), h("td", h("a", { href: formatAddress("run", trainingState.get("run"), mistake.line.join(",")) }, mistake.line.join(" ") || "start")), h("td", actionLabel(mistake.chosen)), h("td", actionLabel(mistake.best)), h("td", h("b", fixed(mistake.loss, decimals)))));
    return h("table", h("thead", h("tr", ["hand", "line", "answer", "best", "loss"].map((head) => h("th", head)))), h("tbody", rows));
  }
}

/** Draw the history of a score from the first answer to the last. */
function historyChart(history) {
  const [width, height, left, bottom] = [320, 130, 40, 18];
  const highest = Math.max(0.001, ...history.map(([, share]) => share));
  const last = history.at(-1)[0];
  const x = (answers) => left + ((answers - 1) / Math.max(1, last - 1)) * (width - left - 6);
  const y = (share) => 6 + (1 - share / highest) * (height - bottom - 6);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `after ${last} answers ${percent(history.at(-1)[1], 2)} of the pot` });
  for (const mark of [0, highest / 2, highest]) chart.append(svg("line", { class: "grid", x1: left, x2: width - 6, y1: y(mark), y2: y(mark) }), svg("text", { x: left - 4, y: y(mark) + 3, "text-anchor": "end" }, percent(mark, 1)));
  for (const mark of new Set([1, last])) chart.append(svg("text", { x: x(mark), y: height - 4, "text-anchor": mark === 1 ? "start" : "end" }, mark));
  chart.append(svg("path", { class: "line", d: history.map(([answers, share], k) => `${k ? "L" : "M"}${x(answers).toFixed(1)} ${y(share).toFixed(1)}`).join("") }));
  return chart;
}

customElements.define("training-score", TrainingScore);
