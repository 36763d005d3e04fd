// What may be bet and raised: sizes by street and player, and sizes by name.

import { Part, h } from "../lib/element.js";
import { draft } from "../lib/draft.js";

const STREETS = { flop: "Flop", turn: "Turn", river: "River" };
const KINDS = ["bets", "raises"];
const PRESETS = [
  ["One size", "66%", "60%"],
  ["Small and large", "33%,75%", "60%,allin"],
  ["Small, large, overbet", "33%,75%,150%", "60%,allin"],
  ["Half, pot, all-in", "50%,100%,allin", "100%,allin"],
];

class SizeEditor extends Part {
  build() {
    this.inputs = new Map();
    this.rows = h("tbody");
    const presets = h("select", { "aria-label": "sizes by name", onchange: () => {
      const [, bets, raises] = PRESETS[presets.value];
      presets.value = "";
      this.shown = null;
      draft.change({ bets, raises, by: null });
    } });
    presets.append(h("option", { value: "" }, "Sizes by name…"), ...PRESETS.map(([name, bets], k) => h("option", { value: k }, `${name}: ${bets}`)));
    this.show(
      h("div.row", h("h2.grow", "Bet sizes"), h("div", presets)),
      h("table",
        h("thead",
          h("tr", h("th"), h("th", { colspan: 2 }, "Out of position"), h("th", { colspan: 2 }, "In position")),
          h("tr", h("th"), ["bets", "raises", "bets", "raises"].map((title) => h("th", title)))),
        this.rows),
      h("p.muted", "50% of the pot, 2.5x the bet faced, 300 chips, allin or none; raises that change with their number: 100% / allin"),
    );
    this.watch(draft, "found", (found) => found && this.tell(found.sizes));
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
