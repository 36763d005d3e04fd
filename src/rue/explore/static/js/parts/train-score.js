// The score of a training: its course, and where mistakes were made: by line, by class of hands, by made hand, one by one.

import { Part, h, s } from "../lib/element.js";
import { action, percent, plain } from "../lib/format.js";
import { address } from "../lib/router.js";
import { trainer } from "../lib/training.js";
import "./play-card.js";

const TABLES = [
  ["lines", "By line", "line"],
  ["classes", "By hand", "class"],
  ["made", "By made hand", "made hand"],
];

class TrainScore extends Part {
  chosen = "lines";

  build() {
    this.numbers = h("dl.facts");
    this.course = h("figure");
    this.tabs = [...TABLES.map(([key, title]) => [key, title]), ["mistakes", "Mistakes"]].map(([key, title]) => h("button", { data: { table: key }, onclick: () => this.choose(key) }, title));
    this.room = h("div.scroll");
    this.show(h("section.panel", h("h2", "Score"), this.numbers, this.course), h("section.panel", h("div.segmented", this.tabs), this.room));
    this.watch(trainer, "told", (told) => told && this.tell(told));
  }

  choose(key) {
    this.chosen = key;
    this.tell(trainer.get("told"));
  }

  tell(told) {
    const { score, decimals } = told;
    const rows = [
      ["answers", score.answers.toLocaleString("en")],
      ["right", score.answers ? `${score.right} · ${percent(score.right / score.answers, 0)}` : "–"],
      ["lost, of the pot", score.share === null ? "–" : `${percent(score.share, 2)} an answer`],
      ["lost in all", `${plain(score.lost, decimals)} chips`],
    ];
    this.numbers.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", name), h("dd", { data: { score: name } }, value)]));
    this.course.replaceChildren(...(score.course.length > 1 ? [h("figcaption", "Share of the pot lost, mean of all answers so far"), curve(score.course)] : []));
    for (const tab of this.tabs) tab.setAttribute("aria-pressed", String(tab.dataset.table === this.chosen));
    this.room.replaceChildren(this.chosen === "mistakes" ? this.mistakes(told) : this.table(told));
  }

  table({ score, decimals }) {
    const [key, , title] = TABLES.find(([each]) => each === this.chosen);
    const rows = score[key].map(({ name, answers, wrong, lost }) => h("tr", h("td", name), h("td", answers), h("td", wrong), h("td", plain(lost / answers, decimals)), h("td", h("b", plain(lost, decimals)))));
    return rows.length ? h("table", h("thead", h("tr", [title, "answers", "not right", "lost each", "lost"].map((head) => h("th", head)))), h("tbody", rows)) : h("p.muted", "Nothing is answered yet.");
  }

  mistakes({ mistakes, decimals }) {
    if (!mistakes.length) return h("p.muted", "No mistakes yet.");
    const rows = mistakes.map((each) => h("tr", h("td", h("board-cards", { board: each.hand })), h("td", h("a", { href: address("run", trainer.get("run"), each.line.join(",")) }, each.line.join(" ") || "start")), h("td", action(each.chosen)), h("td", action(each.best)), h("td", h("b", plain(each.lost, decimals)))));
    return h("table", h("thead", h("tr", ["hand", "line", "answer", "best", "lost"].map((head) => h("th", head)))), h("tbody", rows));
  }
}

/** The course of a score: one line from the first answer to the last. */
function curve(course) {
  const [width, height, left, bottom] = [320, 130, 40, 18];
  const most = Math.max(0.001, ...course.map(([, share]) => share));
  const last = course.at(-1)[0];
  const x = (at) => left + ((at - 1) / Math.max(1, last - 1)) * (width - left - 6);
  const y = (share) => 6 + (1 - share / most) * (height - bottom - 6);
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `after ${last} answers ${percent(course.at(-1)[1], 2)} of the pot` });
  for (const mark of [0, most / 2, most]) svg.append(s("line", { class: "grid", x1: left, x2: width - 6, y1: y(mark), y2: y(mark) }), s("text", { x: left - 4, y: y(mark) + 3, "text-anchor": "end" }, percent(mark, 1)));
  for (const mark of new Set([1, last])) svg.append(s("text", { x: x(mark), y: height - 4, "text-anchor": mark === 1 ? "start" : "end" }, mark));
  svg.append(s("path", { class: "line", d: course.map(([at, share], k) => `${k ? "L" : "M"}${x(at).toFixed(1)} ${y(share).toFixed(1)}`).join("") }));
  return svg;
}

customElements.define("train-score", TrainScore);
