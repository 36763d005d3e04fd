// Build a spot: board, chips, ranges, bet sizes; what solving it takes, and the button that solves it.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { draft } from "../lib/draft.js";
import { typed } from "../lib/format.js";
import { api } from "../lib/protocol.js";
import "./card-picker.js";
import "./range-painter.js";
import "./size-editor.js";
import "./spot-facts.js";
import "./spot-menu.js";

const CHIPS = [
  ["pot", "Pot"],
  ["stack", "Stack behind"],
  ["big_blind", "Big blind"],
  ["minimum", "Smallest bet"],
  ["rake", "Rake"],
  ["rake_cap", "Rake at most"],
];
const PLAYERS = [
  ["oop", "Out of position"],
  ["ip", "In position"],
];

class Build extends Part {
  build() {
    this.board = h("card-picker", { onchange: () => draft.change({ board: this.board.value }) });
    this.chips = Object.fromEntries(CHIPS.map(([name, title]) => [name, h("input", { name, inputmode: "decimal", autocomplete: "off", "aria-label": title, oninput: () => draft.change({ [name]: typed(this.chips[name].value) }) })]));
    this.ranges = Object.fromEntries(PLAYERS.map(([name, title]) => [name, h("range-painter", { data: { player: name }, props: { title }, onchange: () => draft.change({ [name]: this.ranges[name].value }) })]));
    this.name_ = h("input.name", { placeholder: "A name for the spot", "aria-label": "name", name: "name", oninput: () => draft.change({ name: this.name_.value.trim() || null }) });
    this.show(
      h("div.build",
        h("div.row", h("div.grow", this.name_), h("spot-menu")),
        h("div.top",
          h("section.panel", h("h2", "Board"), this.board),
          h("section.panel", h("h2", "Chips"), h("div.fields", CHIPS.map(([name, title]) => h("label", h("span.label", title), this.chips[name]))))),
        h("div.two", PLAYERS.map(([name, title]) => h("section.panel", h("h2", title), this.ranges[name]))),
        h("section.panel", h("size-editor"))),
      h("aside", h("spot-facts.panel")),
    );
    this.watch(draft, "loaded", () => this.fill(draft.get("spot")));
    this.watch(app, "route", (route) => route.page === "build" && this.open(route.parts[0]));
  }

  /** The spot of the address, of the command line, or one that comes along. */
  async open(link) {
    if (link === draft.get("found")?.link && link !== undefined) return;
    if (link) {
      if (await draft.load({ link })) return;
    } else if (draft.get("found")) return;
    const { start } = app.get("server");
    if (draft.get("loaded")) return;
    const spot = start.page === "build" && start.spot ? start.spot : await api.spot("bundled", "turn");
    const wrong = draft.get("sentence");
    if ((await draft.load({ spot })) && wrong) draft.set({ sentence: `${wrong}. This is another spot.` });
  }

  fill(spot) {
    this.name_.value = spot.name ?? "";
    this.board.value = spot.board ?? "";
    for (const [name, input] of Object.entries(this.chips)) input.value = spot[name] ?? "";
    for (const [name, painter] of Object.entries(this.ranges)) painter.value = spot[name] ?? "random";
  }
}

customElements.define("page-build", Build);
