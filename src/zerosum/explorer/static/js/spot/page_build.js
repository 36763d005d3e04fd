// The page Build: board, chips, ranges and bet sizes of a spot.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { draft } from "./spot_draft.js";
import { SpotField } from "./spot_field.js";
import { api } from "../base/api.js";
import "../components/card_picker.js";
import "./range_painter.js";
import "./bet_size_editor.js";
import "./spot_cost.js";
import "./spot_menu.js";

const CHIPS = ["pot", "stack", "big_blind", "minimum", "rake", "rake_cap"];
const PLAYERS = [
  ["oop", "Out of position"],
  ["ip", "In position"],
];

class PageBuild extends Component {
  build() {
    this.board = h("card-picker", { onchange: () => draft.change({ board: this.board.value }) });
    this.chips = CHIPS.map((name) => new SpotField(name));
    this.ranges = Object.fromEntries(PLAYERS.map(([name, title]) => [name, h("range-painter", { data: { player: name }, props: { title }, onchange: () => draft.change({ [name]: this.ranges[name].value }) })]));
    this.name_ = h("input.name", { placeholder: "Name of the spot", "aria-label": "name", name: "name", oninput: () => draft.change({ name: this.name_.value.trim() || null }) });
    this.replaceContent(
      h("div.build",
        h("div.row", h("div.grow", this.name_), h("spot-menu")),
        h("div.top",
          h("section.panel", h("h2", "Board"), this.board),
          h("section.panel", h("h2", "Chips"), h("div.fields", this.chips.map(({ label }) => label)))),
        h("div.columns", PLAYERS.map(([name, title]) => h("section.panel", h("h2", title), this.ranges[name]))),
        h("section.panel", h("bet-size-editor"))),
      h("aside", h("spot-cost.panel")),
    );
    this.subscribe(draft, "loadCount", () => this.fill(draft.get("spot")));
    this.subscribe(app, "route", (route) => route.page === "build" && this.open(route.parts[0]));
  }

  /** Open the spot of the address or of the command line, or a bundled one. */
  async open(link) {
    if (link === draft.get("check")?.link && link !== undefined) return;
    if (link) {
      if (await draft.load({ link })) return;
    } else if (draft.get("check")) return;
    const { start } = app.get("server");
    if (draft.get("loadCount")) return;
    const spot = start.page === "build" && start.spot ? start.spot : await api.spot("bundled", "turn");
    const problem = draft.get("message");
    if ((await draft.load({ spot })) && problem) draft.set({ message: `${problem}. Another spot is shown instead.` });
  }

  fill(spot) {
    this.name_.value = spot.name ?? "";
    this.board.value = spot.board ?? "";
    for (const field of this.chips) field.fill(spot);
    for (const [name, painter] of Object.entries(this.ranges)) painter.value = spot[name] ?? "random";
  }
}

customElements.define("page-build", PageBuild);
