// Buttons of a run: pause, resume, stop, refine, delete. `element.data = run`.

import { Component, h } from "../base/element.js";
import { api } from "../base/api.js";
import { navigate, formatAddress } from "../base/router.js";
import { isBusy } from "./run_state.js";

class RunActions extends Component {
  #key = "";

  build() {
    this.classList.add("row");
  }

  render(run) {
    const key = `${run.id} ${run.state} ${run.spot || run.curve ? "" : "empty"}`;
    if (key === this.#key) return;
    this.#key = key;
    const isActive = isBusy(run);
    const isReadable = run.curve !== undefined;
    this.replaceContent(
      isActive && this.button("Pause", () => api.pauseRun(run.id)),
      (run.state === "paused" || (run.state === "stopped" && isReadable)) && this.button("Resume", () => api.resumeRun(run.id)),
      (isActive || run.state === "paused") && this.button("Stop", () => api.stopRun(run.id)),
      (run.state === "running" || run.state === "done" || run.state === "stopped") && isReadable && run.algorithm !== "lp" &&
        this.button("Refine", () => this.refine(), "Resume until the exploitability is halved"),
      !isActive && this.hasAttribute("removable") && this.button("Delete", () => this.deleteRun(), "Delete the run from the disk", "quiet"),
    );
  }

  button(text, act, title, kind) {
    const element = h(`button${kind ? `.${kind}` : ""}`, { title, onclick: async () => {
      element.disabled = true;
      try {
        await act();
      } catch (error) {
        this.dispatchEvent(new CustomEvent("request-error", { detail: error.message, bubbles: true }));
      }
      element.disabled = false;
    } }, text);
    return element;
  }

  refine() {
    const { exploitability, until, measure } = this.data;
    const target = Math.min(until || Infinity, exploitability || Infinity) / 2;
    if (!Number.isFinite(target)) return api.resumeRun(this.data.id, { iterations: 1000 });
    return api.resumeRun(this.data.id, { until: measure.startsWith("%") ? `${target}%` : target });
  }

  async deleteRun() {
    if (!confirm(`Delete the run "${this.data.name}" from the disk?`)) return;
    await api.deleteRun(this.data.id);
    navigate(formatAddress("home"));
  }
}

customElements.define("run-actions", RunActions);
