// Build a spot: its parts as they stand in its file, what solving it would take, and the button that solves it.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import { bytes, duration } from "../lib/format.js";

const FIELDS = [
  ["board", "Board", "Ks 7h 2d"],
  ["pot", "Pot", "500"],
  ["stack", "Stack", "9750"],
];
const NUMBERS = new Set(["pot", "stack"]);
const PAUSE = 150;

class Build extends Part {
  build() {
    this.inputs = {};
    const field = ([name, title, hint], tag = "input") => {
      const input = h(tag, { name, placeholder: hint, spellcheck: "false", autocomplete: "off", oninput: () => this.changed(), rows: tag === "textarea" ? 2 : null });
      this.inputs[name] = input;
      return h("label", h("span.label", title), input);
    };
    const known = h("select", { "aria-label": "a spot that comes along", onchange: () => known.value && this.load("bundled", known.value) });
    known.append(h("option", { value: "" }, "Load a spot…"), ...app.get("server").spots.bundled.map((name) => h("option", { value: name }, name)));
    this.until = h("input", { value: "0.5", type: "number", min: "0.01", step: "0.1", "aria-label": "until, in % of the pot" });
    this.facts = h("dl.facts");
    this.sentence = h("p.sentence", { role: "status" });
    this.solve = h("button.primary", { onclick: () => this.start() }, "Solve");
    this.show(
      h("section.panel",
        h("div.row", h("h1.grow", "Build a spot"), h("div", known)),
        h("div.fields", FIELDS.map((each) => field(each))),
        field(["oop", "Range out of position", "22+,A2s+,KTs+"], "textarea"),
        field(["ip", "Range in position", "22+,A2s+,KTs+"], "textarea"),
        h("div.fields", field(["bets", "Bets", "50%,100%,allin"]), field(["raises", "Raises", "100%,allin"])),
      ),
      h("aside.panel", h("h2", "What it takes"), this.facts, this.sentence,
        h("label", h("span.label", "Until, % of the pot"), this.until), this.solve),
    );
    const start = app.get("server").start;
    if (start.page === "build" && start.spot) this.fill(start.spot);
    else this.load("bundled", "turn");
  }

  async load(kind, name) {
    try {
      this.fill(await api.spot(kind, name));
    } catch (error) {
      this.sentence.textContent = error.message;
    }
  }

  fill(spot) {
    this.rest = spot;
    for (const [name, input] of Object.entries(this.inputs)) input.value = spot[name] ?? "";
    this.check();
  }

  /** The spot as it stands in the fields; what has no field stays as it was loaded. */
  get spot() {
    const found = { ...this.rest };
    for (const [name, input] of Object.entries(this.inputs)) {
      const text = input.value.trim();
      if (text === "") delete found[name];
      else found[name] = NUMBERS.has(name) && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    }
    return found;
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    this.asking?.abort();
    this.asking = new AbortController();
    try {
      const found = await api.checkSpot(this.spot, {}, this.asking.signal);
      this.tell(found);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.facts.replaceChildren();
      this.sentence.textContent = error.message;
      this.solve.disabled = true;
    }
  }

  tell(found) {
    const rows = {
      "infoset-actions": found.infoset_actions.toLocaleString("en"),
      memory: `${bytes(found.bytes)} of ${bytes(found.free)} free`,
      "an iteration": duration(found.seconds_per_iteration),
    };
    this.facts.replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [h("dt", name), h("dd", value)]));
    this.sentence.textContent = found.too_large;
    this.solve.disabled = found.too_large !== "";
  }

  async start() {
    this.solve.disabled = true;
    try {
      const run = await api.newRun({ spot: this.spot, until: `${this.until.value}%` });
      app.set({ runs: [run, ...app.get("runs").filter((each) => each.id !== run.id)] });
      go(address("run", run.id));
    } catch (error) {
      this.sentence.textContent = error.message;
    }
    this.solve.disabled = false;
  }
}

customElements.define("page-build", Build);
