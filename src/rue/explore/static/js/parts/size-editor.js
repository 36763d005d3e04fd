// What may be bet and raised: sizes by street and player, and sizes by name.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { draft } from "../lib/draft.js";
import { typed } from "../lib/format.js";

const STREETS = { flop: "Flop", turn: "Turn", river: "River" };
const KINDS = ["bets", "raises"];
const RULES = [
  ["donks", "Donk bets", "like bets"],
  ["cap", "Raises a round", "no cap"],
  ["add_allin", "All-in added at, pots", "0"],
  ["force_allin", "All-in from, of the stack", "100%"],
  ["merge", "Sizes merged within", "0%"],
];

class SizeEditor extends Part {
  build() {
    this.inputs = new Map();
    this.rows = h("tbody");
    const { trees } = app.get("server");
    const named = h("select", { name: "tree", "aria-label": "a tree by name", onchange: () => {
      this.take(named.value);
      named.value = "";
    } });
    named.append(h("option", { value: "" }, "A tree by name…"), ...Object.entries(trees).map(([name, { summary }]) => h("option", { value: name, title: summary }, `${name}: ${summary}`)));
    this.rules = Object.fromEntries(RULES.map(([name, title, hint]) => [name, h("input", { name, placeholder: hint, autocomplete: "off", spellcheck: "false", "aria-label": title, oninput: () => draft.change({ [name]: typed(this.rules[name].value) }) })]));
    this.show(
      h("div.row", h("h2.grow", "Bet sizes"), h("div", named)),
      h("table",
        h("thead",
          h("tr", h("th"), h("th", { colspan: 2 }, "Out of position"), h("th", { colspan: 2 }, "In position")),
          h("tr", h("th"), ["bets", "raises", "bets", "raises"].map((title) => h("th", title)))),
        this.rows),
      h("div.fields", RULES.map(([name, title]) => h("label", h("span.label", title), this.rules[name]))),
      h("p.muted", "50% of the pot, 2.5x the bet faced, 300 chips, allin or none; raises that change with their number: 100% / allin"),
    );
    this.watch(draft, "found", (found) => found && this.tell(found.sizes));
    this.watch(draft, "loaded", () => {
      const spot = draft.get("spot");
      for (const [name, input] of Object.entries(this.rules)) input.value = spot[name] ?? "";
    });
  }

  /** A tree by name takes the place of all sizes and rules of the spot. */
  take(tree) {
    const keys = new Set(app.get("server").tree_keys);
    const rest = Object.entries(draft.get("spot")).filter(([name]) => !keys.has(name));
    draft.load({ spot: { ...Object.fromEntries(rest), tree } });
  }

  /** Show the sizes as the server understands them; what is being typed stays. */
  tell(sizes) {
    const streets = [...new Set(sizes.map((each) => each.street))];
    if (this.shown !== streets.join()) {
      this.shown = streets.join();
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
    const made = h("input", { spellcheck: "false", autocomplete: "off", "aria-label": `${kind} on the ${street}, ${player}`, data: { street, player, kind }, oninput: () => this.changed() });
    this.inputs.set(`${street} ${player} ${kind}`, made);
    return made;
  }

  /** All sizes of a kind as one text: what each street and player may do. */
  changed() {
    const texts = Object.fromEntries(KINDS.map((kind) => [kind, []]));
    for (const input of this.inputs.values()) {
      const { street, player, kind } = input.dataset;
      texts[kind].push(`${street} ${player}: ${input.value.trim() || "none"}`);
    }
    draft.change({ bets: texts.bets.join("; "), raises: texts.raises.join("; "), by: null });
  }
}

customElements.define("size-editor", SizeEditor);
