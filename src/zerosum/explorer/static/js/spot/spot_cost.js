// What solving the spot costs (size, memory, time), and the button that starts it.

import { Component, h } from "../base/element.js";
import { addRuns } from "../base/store.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";
import { bytes, duration } from "../base/format.js";
import { draft } from "./spot_draft.js";

class SpotCost extends Component {
  build() {
    this.facts = h("dl.facts");
    this.message = h("p.message", { role: "status" });
    this.until = h("input", { value: "0.5", type: "number", min: "0.01", max: "100", step: "0.1", name: "until" });
    this.half = h("input", { type: "checkbox", onchange: () => {
      draft.set({ half: this.half.checked });
      draft.check();
    } });
    this.solve = h("button.primary", { onclick: () => this.start() }, "Solve");
    this.replaceContent(
      h("h2", "Cost"),
      this.facts,
      h("label.row", this.half, h("span", "Store 16-bit numbers: half the memory")),
      this.message,
      h("label.row", h("span.grow", "Solve to, % of the pot"), h("span.narrow", this.until)),
      this.solve,
    );
    this.subscribe(draft, "check", (check) => this.render(check));
    this.subscribe(draft, "message", (text) => (this.message.textContent = text));
  }

  render(check) {
    this.solve.disabled = !check || check.too_large !== "";
    this.facts.classList.toggle("stale", !check);
    if (!check) return;
    const isTooLarge = check.too_large !== "";
    const streets = Object.entries(check.streets).map(([street, { boards, decisions }]) => [`${street} decisions`, `${(decisions[0] + decisions[1]).toLocaleString("en")} × ${boards.toLocaleString("en")} ${boards === 1 ? "board" : "boards"}`]);
    const rows = [
      ["hands", check.hands.join(" × ")],
      ...streets,
      ["infoset-actions", check.infoset_actions.toLocaleString("en")],
      ["memory", bytes(check.bytes), isTooLarge],
      ["free memory", bytes(check.free)],
      ["time to 0.5%", timeRange(check), false, `${check.iterations_to_half_a_percent.join(" to ")} iterations: the range that covers 90% of similar spots; longer while other runs are active.`],
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, value, bad, about]) => [h("dt", { title: about }, name), h(bad ? "dd.bad" : "dd", { title: about }, value)]));
  }

  async start() {
    this.solve.disabled = true;
    try {
      const run = await api.startRun({ spot: draft.get("spot"), until: `${this.until.value}%`, half: draft.get("half") });
      addRuns([run]);
      navigate(formatAddress("run", run.id));
    } catch (error) {
      draft.set({ message: error.message });
    }
    this.solve.disabled = false;
  }
}

/** Estimate the time of solving as a range; a run that has started gives a better estimate. */
function timeRange({ iterations_to_half_a_percent: iterations, seconds_per_iteration: seconds }) {
  const [shortest, longest] = iterations.map((count) => count * seconds);
  return longest < 2 ? "a second or two" : `${duration(shortest)} to ${duration(longest)}`;
}

customElements.define("spot-cost", SpotCost);
