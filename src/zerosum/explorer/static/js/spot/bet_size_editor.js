// Edit bet and raise sizes by street and player, or choose a betting tree by name.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { draft } from "./spot_draft.js";
import { SpotField } from "./spot_field.js";

const STREETS = { flop: "Flop", turn: "Turn", river: "River" };
const KINDS = ["bets", "raises"];
const RULES = ["donks", "cap", "add_allin", "force_allin", "merge"];

class BetSizeEditor extends Component {
  build() {
    this.inputs = new Map();
    this.rows = h("tbody");
    const { trees } = app.get("server");
    const treeMenu = h("select", { name: "tree", "aria-label": "betting tree", onchange: () => {
      this.applyTree(treeMenu.value);
      treeMenu.value = "";
    } });
    treeMenu.append(h("option", { value: "" }, "Betting tree…"), ...Object.entries(trees).map(([name, summary]) => h("option", { value: name, title: summary }, `${name}: ${summary}`)));
    this.rules = RULES.map((name) => new SpotField(name));
    this.replaceContent(
      h("div.row", h("h2.grow", "Bet sizes"), h("div", treeMenu)),
      h("table",
        h("thead",
          h("tr", h("th"), h("th", { colspan: 2 }, "Out of position"), h("th", { colspan: 2 }, "In position")),
          h("tr", h("th"), ["bets", "raises", "bets", "raises"].map((title) => h("th", title)))),
        this.rows),
      h("div.fields", this.rules.map(({ label }) => label)),
      h("p.muted", "Sizes: 50% (of the pot), 2.5x (times the bet faced), 300 (chips), allin, none. Sizes for the first / second raise: 100% / allin"),
    );
    this.subscribe(draft, "check", (check) => check && this.render(check.sizes));
    this.subscribe(draft, "loadCount", () => this.rules.forEach((field) => field.fill(draft.get("spot"))));
  }

  /** Replace all sizes and rules of the spot by a betting tree. */
  applyTree(tree) {
    const keys = new Set(app.get("server").tree_keys);
    const rest = Object.entries(draft.get("spot")).filter(([name]) => !keys.has(name));
    draft.load({ spot: { ...Object.fromEntries(rest), tree } });
  }

  /** Show the sizes as the server understands them, except in the input that has the focus. */
  render(sizes) {
    const streets = [...new Set(sizes.map(({ street }) => street))];
    if (this.streets !== streets.join()) {
      this.streets = streets.join();
      this.inputs.clear();
      this.rows.replaceChildren(...streets.map((street) =>
        h("tr", h("th", STREETS[street]), ["oop", "ip"].flatMap((player) => KINDS.map((kind) => h("td", this.input(street, player, kind)))))));
    }
    for (const { street, player, ...texts } of sizes) {
      for (const kind of KINDS) {
        const input = this.inputs.get(`${street} ${player} ${kind}`);
        if (document.activeElement !== input) input.value = texts[kind];
      }
    }
  }

  input(street, player, kind) {
    const input = h("input", { spellcheck: "false", autocomplete: "off", "aria-label": `${kind} on the ${street}, ${player}`, data: { street, player, kind }, oninput: () => this.applyInputs() });
    this.inputs.set(`${street} ${player} ${kind}`, input);
    return input;
  }

  /** Write all sizes of a kind as one text, such as `flop oop: 50%; flop ip: 33%, 75%`. */
  applyInputs() {
    const texts = Object.fromEntries(KINDS.map((kind) => [kind, []]));
    for (const input of this.inputs.values()) {
      const { street, player, kind } = input.dataset;
      texts[kind].push(`${street} ${player}: ${input.value.trim() || "none"}`);
    }
    draft.change({ bets: texts.bets.join("; "), raises: texts.raises.join("; "), by: null });
  }
}

customElements.define("bet-size-editor", BetSizeEditor);
