// What solving the spot takes: size, memory, time; and the button that starts it.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import { bytes, duration } from "../lib/format.js";
import { draft } from "../lib/draft.js";

class SpotFacts extends Part {
  build() {
    this.facts = h("dl.facts");
    this.sentence = h("p.sentence", { role: "status" });
    this.until = h("input", { value: "0.5", type: "number", min: "0.01", max: "100", step: "0.1", name: "until" });
    this.half = h("input", { type: "checkbox", onchange: () => {
      draft.set({ half: this.half.checked });
      draft.check();
    } });
    this.solve = h("button.primary", { onclick: () => this.start() }, "Solve");
    this.show(
      h("h2", "What it takes"),
      this.facts,
      h("label.row", this.half, h("span", "16-bit store: half the memory")),
      this.sentence,
      h("label.row", h("span.grow", "Solve to, % of the pot"), h("span.narrow", this.until)),
      this.solve,
    );
    this.watch(draft, "found", (found) => this.tell(found));
    this.watch(draft, "sentence", (text) => (this.sentence.textContent = text));
  }

  tell(found) {
    this.solve.disabled = !found || found.too_large !== "";
    this.facts.classList.toggle("stale", !found);
    if (!found) return;
    const large = found.too_large !== "";
    const streets = Object.entries(found.streets).map(([street, { boards, decisions }]) => [`${street} decisions`, `${(decisions[0] + decisions[1]).toLocaleString("en")} × ${boards.toLocaleString("en")}`]);
    const rows = [
      ["hands", found.hands.join(" × ")],
      ...streets,
      ["infoset-actions", found.infoset_actions.toLocaleString("en")],
      ["memory", bytes(found.bytes), large],
      ["free", bytes(found.free)],
      ["time to 0.5%", span(found), false, `${found.iterations_to_half_a_percent.join(" to ")} iterations: what nine of ten spots of this kind took. It is longer while other runs are on their way.`],
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, value, bad, about]) => [h("dt", { title: about }, name), h(bad ? "dd.bad" : "dd", { title: about }, value)]));
  }

  async start() {
    this.solve.disabled = true;
    try {
      const run = await api.newRun({ spot: draft.get("spot"), until: `${this.until.value}%`, half: draft.get("half") });
      if (!app.get("runs").some((each) => each.id === run.id)) app.set({ runs: [run, ...app.get("runs")] });
      go(address("run", run.id));
    } catch (error) {
      draft.set({ sentence: error.message });
    }
    this.solve.disabled = false;
  }
}

/** The time that solving takes: two ends, since only the run itself tells more. */
function span({ iterations_to_half_a_percent: iterations, seconds_per_iteration: each }) {
  const [few, many] = iterations.map((count) => count * each);
  return many < 2 ? "a second or two" : `${duration(few)} to ${duration(many)}`;
}

customElements.define("spot-facts", SpotFacts);
