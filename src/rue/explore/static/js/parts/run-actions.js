// What one can do with a run: pause, go on, stop, make it more accurate, delete it. `element.run = run`.

import { Part, h } from "../lib/element.js";
import { api } from "../lib/protocol.js";
import { go, address } from "../lib/router.js";

class RunActions extends Part {
  #shown = "";

  build() {
    this.classList.add("row");
  }

  set run(run) {
    this.id_ = run.id;
    this.now = run;
    const key = `${run.id} ${run.state} ${run.spot || run.curve ? "" : "empty"}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const working = run.state === "running" || run.state === "preparing" || run.state === "queued";
    const known = run.curve !== undefined;
    this.show(
      working && this.button("Pause", () => api.pause(run.id)),
      (run.state === "paused" || (run.state === "stopped" && known)) && this.button("Go on", () => api.go(run.id)),
      (working || run.state === "paused") && this.button("Stop", () => api.stop(run.id)),
      (run.state === "running" || run.state === "done" || run.state === "stopped") && known && run.algorithm !== "lp" &&
        this.button("More accurate", () => this.further(), "Go on to half the exploitability"),
      !working && this.hasAttribute("removable") && this.button("Delete", () => this.remove_(), "Delete the run from the disk", "quiet"),
    );
  }

  button(text, act, title, kind) {
    const made = h(`button${kind ? `.${kind}` : ""}`, { title, onclick: async () => {
      made.disabled = true;
      try {
        await act();
      } catch (error) {
        this.dispatchEvent(new CustomEvent("refused", { detail: error.message, bubbles: true }));
      }
      made.disabled = false;
    } }, text);
    return made;
  }

  further() {
    const { exploitability, until, measure } = this.now;
    const aim = Math.min(until || Infinity, exploitability || Infinity) / 2;
    if (!Number.isFinite(aim)) return api.go(this.id_, { iterations: 1000 });
    return api.go(this.id_, { until: measure.startsWith("%") ? `${aim}%` : aim });
  }

  async remove_() {
    if (!confirm(`Delete the run "${this.now.name}" from the disk?`)) return;
    await api.remove(this.id_);
    go(address("home"));
  }
}

customElements.define("run-actions", RunActions);
