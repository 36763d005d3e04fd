// One figure: from the gallery, or computed here with lines that grow. `element.key = "dcfr-5"`.

import { Component, h, press, segmented } from "../base/element.js";
import { app } from "../base/store.js";
import { duration, parseInput } from "../base/format.js";
import { copyText, saveFile } from "../base/download.js";
import { api } from "../base/api.js";
import "./figure_panel.js";

/** Milliseconds between two updates of a figure that is being computed. */
const UPDATE_INTERVAL = 700;
const SOURCES = [
  ["gallery", "Gallery"],
  ["local", "Computed here"],
];
const STATES = { running: "running", stopped: "stopped: press Run to resume", done: "done", failed: "failed" };

class FigureView extends Component {
  #latest = this.latestRequest();
  #picture = this.latestRequest();

  build() {
    this.title_ = h("h1");
    this.reference = h("span.muted");
    this.sources = segmented("source", SOURCES, (source) => this.choose(source), "source");
    this.iterations = h("input", { name: "iterations", value: "1000", inputmode: "numeric", "aria-label": "maximum iterations" });
    this.run_ = h("button.primary", { onclick: () => this.runAction(() => api.runFigure(this.key_, this.limits())) }, "Run");
    this.stop = h("button", { onclick: () => this.runAction(() => api.stopFigure(this.key_)), hidden: true }, "Stop");
    this.progress = h("progress", { max: 1, hidden: true });
    this.status = h("span.muted", { role: "status" });
    this.message = h("p.message", { role: "status" });
    this.panels = h("div.panels");
    this.image = h("img.drawing", { alt: "", hidden: true });
    this.summary = h("p.muted");
    this.verdicts = h("ul.verdicts");
    this.notes = h("p.muted");
    const withTable = (act) => () => this.attempt(async () => act((await api.figureTable(this.key_, this.source)).text));
    this.exports = h("span.row",
      h("button", { onclick: withTable(copyText) }, "Copy CSV"),
      h("button", { onclick: withTable((text) => saveFile(text, `${this.key_}.csv`, "text/csv")) }, "Save CSV"));
    this.replaceContent(
      h("div.row", this.title_, this.reference),
      h("div.row", this.sources, h("label.row", h("span.muted", "maximum iterations"), h("span.narrow", this.iterations)), this.run_, this.stop, this.progress, this.status, h("span.grow"), this.exports),
      this.message, this.panels, this.image, this.summary, this.verdicts, this.notes,
    );
    this.subscribe(app, "figure", (figure) => figure?.key === this.key_ && this.scheduleUpdate());
    this.whileConnected(() => () => {
      clearTimeout(this.timer);
      this.timer = null;
    });
    if (this.key_) this.load();
  }

  set key(key) {
    if (key === this.key_) return;
    this.key_ = key;
    this.source = null;
    this.figure = null;
    if (this.panels) {
      this.panels.replaceChildren();
      this.load();
    }
  }

  limits() {
    const iterations = parseInput(this.iterations.value);
    return iterations === null ? {} : { iterations };
  }

  choose(source) {
    this.source = source;
    this.render();
  }

  /** Run an action; show the figure that it returns, unless another one has been opened in the meantime. */
  async runAction(action) {
    const figure = await this.attempt(action);
    if (figure?.key !== this.key_) return;
    this.source = "local";
    this.show(figure);
  }

  /** Load the figure again in a moment, unless that is scheduled already. */
  scheduleUpdate() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.load();
    }, UPDATE_INTERVAL);
  }

  async load() {
    const figure = await this.attempt(() => this.#latest.send((signal) => api.figure(this.key_, signal)));
    if (figure) this.show(figure);
  }

  show(figure) {
    this.figure = figure;
    this.source ??= figure.task || !figure.gallery ? "local" : "gallery";
    this.render();
  }

  render() {
    const { title, place, key, notes, gallery, local, task, libratus, drawing } = this.figure;
    this.title_.textContent = title;
    this.reference.textContent = `${key} · ${place}`;
    this.notes.textContent = notes;
    press(this.sources, this.source);
    const running = task?.state === "running";
    this.run_.hidden = running;
    const lacksData = libratus && !app.get("server").libratus;
    this.run_.disabled = lacksData;
    this.stop.hidden = !running;
    this.progress.hidden = !running;
    if (running) this.progress.value = task.of ? task.done / task.of : 1;
    this.status.textContent = lacksData ? "needs the Libratus endgames: start zerosum explore --data FOLDER" : task ? `${task.done} of ${task.of} runs · ${STATES[task.state]}${task.error ? `: ${task.error}` : ""}` : "";
    const content = this.source === "gallery" ? gallery : (local ?? task);
    this.exports.hidden = !content?.verdicts;
    this.summary.textContent = this.describe(content);
    this.verdicts.replaceChildren(...(content?.verdicts ?? []).map(({ claim, word, evidence }) => h("li", h("b", { data: { word } }, word), h("span", claim), h("span.muted", evidence))), ...(content?.failures ?? []).map((text) => h("li.bad", text)));
    const curves = drawing === "curves" || (drawing === "dots" && !content?.verdicts);
    this.fill(curves ? (content?.panels ?? []) : []);
    this.draw(curves || !content?.verdicts ? null : this.source);
  }

  describe(content) {
    if (!content) return this.source === "gallery" ? "This figure is not in the gallery." : "This figure has not been computed here.";
    if (!content.verdicts) return "The claims are checked when all lines are complete.";
    if (!content.length) return "";
    const means = content.repeats > 1 ? ", means of repeats" : "";
    return `${this.source === "gallery" ? "Computed for the documentation" : "Computed here, shorter than in the paper"}: up to ${content.length.toLocaleString("en")} iterations or nodes${means}, ${duration(content.seconds)} of one core.`;
  }

  fill(panels) {
    while (this.panels.childElementCount > panels.length) this.panels.lastElementChild.remove();
    panels.forEach((panel, k) => {
      const element = this.panels.children[k] ?? this.panels.appendChild(h("figure-panel"));
      element.data = panel;
    });
    this.panels.classList.toggle("single", panels.length === 1);
  }

  /** Show the picture of a figure that does not consist of curves. */
  async draw(source) {
    const key = source && `${this.key_} ${source} ${this.figure[source]?.seconds}`;
    if (key === this.pictureKey) return;
    this.pictureKey = key;
    this.image.hidden = true;
    if (!source) return;
    const picture = await this.attempt(() => this.#picture.send((signal) => api.figurePicture(this.key_, source, signal)));
    if (!picture) return;
    this.image.src = picture.image;
    this.image.alt = this.figure.title;
    this.image.hidden = false;
  }
}

customElements.define("figure-view", FigureView);
