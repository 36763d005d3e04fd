// A figure of a paper: as it stands in the gallery, or run here, its lines as they grow. `element.key = "dcfr-5"`.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { duration, typed } from "../lib/format.js";
import { copy, save } from "../lib/give.js";
import { Latest } from "../lib/latest.js";
import { api } from "../lib/protocol.js";
import "./figure-panel.js";

const EVERY = 700;
/** Milliseconds between two looks at a figure that is run. */
const STATES = { running: "running", stopped: "stopped: press Run to go on", done: "done", failed: "failed" };

class FigureShown extends Part {
  #latest = new Latest();
  #drawn = new Latest();

  build() {
    this.title_ = h("h1");
    this.place = h("span.muted");
    this.of = h("span.segmented", { role: "group", "aria-label": "which" }, [["kept", "Gallery"], ["own", "Run here"]].map(([name, title]) => h("button", { data: { of: name }, onclick: () => this.turn(name) }, title)));
    this.iterations = h("input", { name: "iterations", value: "1000", inputmode: "numeric", "aria-label": "iterations at most" });
    this.run_ = h("button.primary", { onclick: () => this.act(() => api.runFigure(this.key_, this.asked())) }, "Run");
    this.stop = h("button", { onclick: () => this.act(() => api.stopFigure(this.key_)), hidden: true }, "Stop");
    this.progress = h("progress", { max: 1, hidden: true });
    this.said = h("span.muted", { role: "status" });
    this.error = h("p.sentence", { role: "status" });
    this.panels = h("div.panels");
    this.image = h("img.drawn", { alt: "", hidden: true });
    this.about = h("p.muted");
    this.verdicts = h("ul.verdicts");
    this.notes = h("p.muted");
    this.give = h("span.row",
      h("button", { onclick: () => this.act(async () => void (await copy((await api.figureTable(this.key_, this.which)).text))) }, "Copy CSV"),
      h("button", { onclick: () => this.act(async () => save((await api.figureTable(this.key_, this.which)).text, `${this.key_}.csv`, "text/csv")) }, "Save CSV"));
    this.show(
      h("div.row", this.title_, this.place),
      h("div.row", this.of, h("label.row", h("span.muted", "iterations at most"), h("span.narrow", this.iterations)), this.run_, this.stop, this.progress, this.said, h("span.grow"), this.give),
      this.error, this.panels, this.image, this.about, this.verdicts, this.notes,
    );
    this.watch(app, "figure", (figure) => figure?.key === this.key_ && this.soon());
    this.during(() => () => {
      this.#latest.end();
      this.#drawn.end();
      clearTimeout(this.timer);
      this.timer = null;
    });
    if (this.key_) this.ask();
  }

  set key(key) {
    if (key === this.key_) return;
    this.key_ = key;
    this.which = null;
    this.found = null;
    if (this.panels) {
      this.panels.replaceChildren();
      this.ask();
    }
  }

  asked() {
    const iterations = typed(this.iterations.value);
    return iterations === null ? {} : { iterations };
  }

  turn(of) {
    this.which = of;
    this.tell();
  }

  async act(what) {
    this.error.textContent = "";
    try {
      const found = await what();
      if (!found?.key) return;
      this.which = "own";
      this.take(found);
    } catch (error) {
      this.error.textContent = error.message;
    }
  }

  /** Ask again in a moment, once. */
  soon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.ask();
    }, EVERY);
  }

  async ask() {
    try {
      const found = await this.#latest.ask((signal) => api.figure(this.key_, signal));
      if (found) this.take(found);
    } catch (error) {
      this.error.textContent = error.message;
    }
  }

  take(found) {
    this.found = found;
    this.which ??= found.going || !found.kept ? "own" : "kept";
    this.tell();
  }

  tell() {
    const { title, place, key, notes, kept, own, going, libratus, drawing } = this.found;
    this.title_.textContent = title;
    this.place.textContent = `${key} · ${place}`;
    this.notes.textContent = notes;
    for (const button of this.of.children) button.setAttribute("aria-pressed", String(button.dataset.of === this.which));
    const running = going?.state === "running";
    this.run_.hidden = running;
    const lacking = libratus && !app.get("server").libratus;
    this.run_.disabled = lacking;
    this.stop.hidden = !running;
    this.progress.hidden = !running;
    if (running) this.progress.value = going.of ? going.done / going.of : 1;
    this.said.textContent = lacking ? "needs the Libratus endgames: start rue explore --data FOLDER" : going ? `${going.done} of ${going.of} runs · ${STATES[going.state]}${going.error ? `: ${going.error}` : ""}` : "";
    const shown = this.which === "kept" ? kept : (own ?? going);
    this.give.hidden = !shown?.verdicts;
    this.about.textContent = this.told(shown);
    this.verdicts.replaceChildren(...(shown?.verdicts ?? []).map(({ claim, word, shown: figures }) => h("li", h("b", { data: { word } }, word), h("span", claim), h("span.muted", figures))), ...(shown?.failures ?? []).map((text) => h("li.bad", text)));
    const curves = drawing === "curves" || (drawing === "dots" && !shown?.verdicts);
    this.fill(curves ? (shown?.panels ?? []) : []);
    this.draw(curves || !shown?.verdicts ? null : this.which);
  }

  told(shown) {
    if (!shown) return this.which === "kept" ? "It is not in the gallery." : "It has not been run here.";
    if (!shown.verdicts) return "Its claims are judged when all its lines are there.";
    if (!shown.length) return "";
    const many = shown.repeats > 1 ? ", means of repeats" : "";
    return `${this.which === "kept" ? "Run for the documents" : "Run here, shorter than in the paper"}: up to ${shown.length.toLocaleString("en")} iterations or nodes${many}, ${duration(shown.seconds)} of one core.`;
  }

  fill(panels) {
    while (this.panels.childElementCount > panels.length) this.panels.lastElementChild.remove();
    panels.forEach((panel, k) => {
      const made = this.panels.children[k] ?? this.panels.appendChild(h("figure-panel"));
      made.panel = panel;
    });
    this.panels.classList.toggle("single", panels.length === 1);
  }

  /** The picture of a figure that is not made of curves. */
  async draw(of) {
    const key = of && `${this.key_} ${of} ${this.found[of]?.seconds}`;
    if (key === this.picture) return;
    this.picture = key;
    this.image.hidden = true;
    if (!of) return;
    try {
      const found = await this.#drawn.ask((signal) => api.figurePicture(this.key_, of, signal));
      if (!found) return;
      this.image.src = found.image;
      this.image.alt = this.found.title;
      this.image.hidden = false;
    } catch (error) {
      this.error.textContent = error.message;
    }
  }
}

customElements.define("figure-shown", FigureShown);
