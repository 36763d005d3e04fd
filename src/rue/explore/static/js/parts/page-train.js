// Training: a hand of a solved spot is dealt, one plays it against the solution, and every answer is graded by the EV it loses.

import { Part, h } from "../lib/element.js";
import { address, go } from "../lib/router.js";
import { app, runOf } from "../lib/store.js";
import { trainer } from "../lib/training.js";
import "./train-hand.js";
import "./train-score.js";

const SEATS = [
  ["both", "Both seats"],
  ["oop", "Out of position"],
  ["ip", "In position"],
];

class Train extends Part {
  build() {
    this.runs = h("select", { "aria-label": "the run to train with", onchange: () => go(address("train", this.runs.value)) });
    this.seat = h("select", { "aria-label": "seat", name: "seat" }, SEATS.map(([value, title]) => h("option", { value }, title)));
    this.line = h("input", { name: "line", placeholder: "from the start; or a line: check, bet50", "aria-label": "the line hands begin after", autocomplete: "off", spellcheck: "false" });
    this.start = h("button.primary", { data: { do: "start" }, onclick: () => this.begin() }, "Start");
    this.none = h("p.muted", "No spot is solved yet. ", h("a", { href: address("build") }, "Build one"), " to train with.");
    this.sentence = h("p.sentence", { role: "alert" });
    this.room = h("div.train", h("train-hand"), h("train-score"));
    this.form = h("div.panel.asked", h("div.row", h("label.grow", h("span.label", "Run"), this.runs), h("label", h("span.label", "Seat"), this.seat), h("label.grow", h("span.label", "Hands begin after"), this.line), this.start));
    this.show(h("h1", "Train"), this.none, this.form, this.sentence, this.room);
    this.watch(app, "runs", () => this.offer());
    this.watch(app, "route", (route) => route.page === "train" && this.open(route.parts));
    this.watch(trainer, "error", (error) => (this.sentence.textContent = error));
    this.watch(trainer, "told", (told) => this.tell(told));
  }

  /** The runs that can be trained with. */
  offer() {
    const found = app.get("runs").filter((run) => run.spot && run.iteration > 0 && run.state !== "failed" && run.state !== "preparing");
    const key = found.map((run) => `${run.id} ${run.name}`).join();
    if (key === this.offered) return;
    this.offered = key;
    this.runs.replaceChildren(...found.map((run) => h("option", { value: run.id }, run.name)));
    if (trainer.get("run")) this.runs.value = trainer.get("run");
    this.none.hidden = found.length > 0;
    this.form.hidden = !found.length;
    if (!trainer.get("run") && found.length && app.get("route").page === "train") this.open(app.get("route").parts);
  }

  open([id, line]) {
    const run = id ?? trainer.get("run") ?? this.runs.value;
    if (line !== undefined) this.line.value = line;
    if (!run || !runOf(run)) {
      if (id) this.sentence.textContent = `There is no run ${id} here any more.`;
      return;
    }
    this.runs.value = run;
    trainer.open(run);
  }

  begin() {
    this.start.blur(); // Enter is for the next hand now
    trainer.begin({ seat: this.seat.value, line: this.line.value.trim().split(/\s*,\s*/).filter(Boolean).join(",") });
  }

  tell(told) {
    this.room.hidden = !told;
    this.start.textContent = told ? "Start anew" : "Start";
    this.start.classList.toggle("primary", !told);
    if (told) {
      this.seat.value = told.seat;
      this.line.value = told.line.join(",");
    }
  }
}

customElements.define("page-train", Train);
