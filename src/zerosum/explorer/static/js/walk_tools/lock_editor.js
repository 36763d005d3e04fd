// Edit the strategy of a decision (every hand, the range as a whole, a class, a hand), lock it, and solve the spot again with the
// locks. While this panel is open, the grid shows the decision as edited.

import { Component, h, press, segmented } from "../base/element.js";
import { className } from "../components/hand_cells.js";
import { actionLabel, percent, fixed } from "../base/format.js";
import { rebalance, lockDrafts } from "./lock_drafts.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";
import { addRuns, findRun } from "../base/store.js";
import { walk } from "../walk/walk_state.js";

const SCOPES = [
  ["every", "Every hand", "Every hand plays the same"],
  ["overall", "Range", "The range as a whole: the hands that lose least change their play"],
  ["class", "Class", "A class of hands: click one in the grid"],
  ["hand", "Hand", "A single hand of the class"],
];

class LockEditor extends Component {
  #latest = this.latestRequest();
  scope = "every";
  keepOthers = true;

  build() {
    this.scopes = segmented("scope", SCOPES, (scope) => this.choose(scope));
    this.hand = h("select", { "aria-label": "hand", onchange: () => this.fill() });
    this.rows = h("div.mixer");
    this.set_ = h("button", { data: { do: "set" }, onclick: () => this.edit() }, "Set");
    this.undo = h("button", { data: { do: "undo" }, title: "Undo the last edit", onclick: () => this.undoEdit() }, "Undo");
    this.lockBox = h("input", { type: "checkbox", name: "locked", onchange: () => this.toggleLock() });
    this.keepBox = h("input", { type: "checkbox", name: "keep", props: { checked: true }, onchange: () => {
      this.keepOthers = this.keepBox.checked;
      this.change({});
    } });
    this.summary = h("p.muted", { role: "status" });
    this.message = h("p.message", { role: "alert" });
    this.list = h("ul.locks");
    this.until = h("input", { name: "until", type: "number", min: "0.01", max: "100", step: "0.1", "aria-label": "solve to, % of the pot" });
    this.solve = h("button.primary", { data: { do: "solve" }, onclick: () => this.start() }, "Solve again");
    this.replaceContent(
      h("div.row", this.scopes, this.hand),
      this.rows,
      h("div.row", this.set_, this.undo, h("span.grow"), h("label.row", this.lockBox, "Locked")),
      h("label.row", this.keepBox, h("span", "Keep the other hands as solved (if unchecked, they are solved again)")),
      this.summary,
      this.message,
      this.list,
      h("label.row", h("span.grow", "Solve to, % of the pot"), h("span.narrow", this.until)),
      this.solve,
    );
    this.subscribe(walk, "position", () => this.open());
    this.subscribe(walk, "pinnedClass", (pinned) => this.followPin(pinned));
    this.subscribe(lockDrafts, "drafts", () => this.updateControls());
    this.whileConnected(() => () => walk.edit(null));
  }

  get decision() {
    return walk.get("view")?.decision ?? null;
  }

  get draft() {
    return lockDrafts.of(walk.get("run")).get(walk.fullLine.join(",")) ?? null;
  }

  open() {
    this.message.textContent = "";
    const run = findRun(walk.get("run"));
    if (run && this.run !== run.id) {
      this.run = run.id;
      this.until.value = Number((run.until ?? run.exploitability ?? 0.5).toPrecision(3));
    }
    this.updateControls();
    this.preview();
  }

  followPin(pinned) {
    if (pinned !== null && this.scope !== "hand") this.scope = "class";
    else if (pinned === null && this.scope !== "overall") this.scope = "every";
    this.updateControls();
  }

  choose(scope) {
    this.scope = scope;
    this.updateControls();
  }

  /** The hands to edit, in the notation of locks; null while none is chosen. */
  get hands() {
    const pinned = walk.get("pinnedClass");
    return { every: "", overall: "overall", class: pinned === null ? null : className(pinned), hand: pinned === null ? null : this.hand.value || null }[this.scope];
  }

  updateControls() {
    const { decision, draft } = this;
    if (!decision) return;
    const pinned = walk.get("pinnedClass");
    const members = pinned === null ? [] : decision.columns.hand.filter((_, k) => decision.columns.hand_class[k] === className(pinned));
    press(this.scopes, this.scope);
    this.scopes.querySelector("[data-scope=class]").textContent = pinned === null ? "Class" : className(pinned);
    const selected = this.hand.value;
    this.hand.replaceChildren(...members.map((name) => h("option", { value: name }, name)));
    if (members.includes(selected)) this.hand.value = selected;
    this.hand.hidden = this.scope !== "hand" || !members.length;
    this.lockBox.checked = draft !== null;
    this.keepBox.checked = draft?.keep ?? this.keepOthers;
    this.undo.disabled = !draft?.edits.length;
    const hasLocks = (findRun(walk.get("run"))?.locks ?? []).length > 0;
    this.set_.disabled = this.lockBox.disabled = hasLocks;
    if (hasLocks) this.summary.textContent = "This run already has locks: edit the run without locks instead. The tab Compare has a link to it.";
    this.fill();
    this.renderLocks();
  }

  /** Set the sliders to the current strategy of the chosen hands. */
  fill() {
    const { decision } = this;
    const { actions, columns, groups: { class: classes } } = decision;
    const index = this.scope === "class" ? classes.group.indexOf(walk.get("pinnedClass")) : this.scope === "hand" ? columns.hand.indexOf(this.hand.value) : -1;
    const { frequency } = this.scope === "class" ? classes : columns;
    this.mix = actions.map((action, a) => (index < 0 ? action.frequency : frequency[a][index]));
    this.renderMixer(actions);
  }

  renderMixer(actions) {
    this.inputs = actions.map(({ name, label, colour }, a) => {
      const slider = h("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": `how often ${label}`, oninput: () => this.setShare(a, slider.value / 100) });
      const number = h("input", { type: "number", min: 0, max: 100, step: 0.1, data: { mix: name }, "aria-label": `${label}, in percent`, onchange: () => this.setShare(a, Math.min(1, Math.max(0, number.value / 100))) });
      return { slider, number, row: h("label", h("i.swatch", { style: { background: colour } }), h("span", actionLabel(label)), slider, number, "%") };
    });
    this.rows.replaceChildren(...this.inputs.map(({ row }) => row));
    this.renderMix();
  }

  setShare(index, share) {
    this.mix = rebalance(this.mix, index, share);
    this.renderMix();
  }

  renderMix() {
    this.inputs.forEach(({ slider, number }, a) => {
      slider.value = 100 * this.mix[a];
      number.value = Number((100 * this.mix[a]).toFixed(1));
    });
    this.set_.disabled = this.hands === null || this.lockBox.disabled;
  }

  edit() {
    const { actions } = this.decision;
    const mix = Object.fromEntries(actions.map(({ name }, a) => [name, this.mix[a]]).filter(([, share]) => share > 0));
    this.change({ edits: [...(this.draft?.edits ?? []), { hands: this.hands, mix }] });
  }

  undoEdit() {
    this.change({ edits: this.draft.edits.slice(0, -1) });
  }

  toggleLock() {
    this.change(this.lockBox.checked ? { edits: [] } : null);
  }

  /** Change the lock of this decision and preview it; an invalid change is undone. */
  change(values) {
    const previous = this.draft;
    if (values && !previous && !values.edits) return;
    lockDrafts.change(walk.get("run"), walk.fullLine, values && { edits: [], text: "", ...previous, keep: this.keepBox.checked, ...values });
    this.preview(previous);
  }

  /** Show the decision with its edits; if the server rejects them, restore the previous lock. */
  async preview(previous = null) {
    const [run, line, draft] = [walk.get("run"), walk.fullLine, this.draft];
    this.summary.textContent = "";
    if (!draft) {
      this.#latest.abort();
      walk.edit(null);
      return;
    }
    try {
      const preview = await this.#latest.send((signal) => api.previewLock(run, draft, signal));
      if (!preview) return;
      this.message.textContent = "";
      draft.text = preview.text;
      walk.edit(preview.decision);
      const { columns, decimals } = preview.decision;
      const cost = preview.ev_cost > 0.5 * 10 ** -decimals ? `costs ${fixed(preview.ev_cost, decimals)} per hand here if nobody adapts` : "costs nothing here if nobody adapts";
      this.summary.textContent = `${columns.locked.filter(Boolean).length} of ${columns.hand.length} hands are locked: ${cost}`;
      this.updateControls();
    } catch (error) {
      this.message.textContent = error.message;
      lockDrafts.change(run, line, previous);
    }
  }

  renderLocks() {
    const run = walk.get("run");
    const drafts = [...lockDrafts.of(run).values()];
    this.list.replaceChildren(...drafts.map(({ line, text }) =>
      h("li", h("a", { href: formatAddress("run", run, line) }, text.replace(": @", ": ") || line || "start"), h("button.quiet", { "aria-label": `unlock ${line || "start"}`, onclick: () => {
        lockDrafts.change(run, line.split(",").filter(Boolean), null);
        this.preview();
      } }, "✕"))));
    this.solve.disabled = !drafts.length;
    this.solve.textContent = drafts.length > 1 ? `Solve again with ${drafts.length} locks` : "Solve again with the lock";
  }

  async start() {
    const run = walk.get("run");
    this.solve.disabled = true;
    try {
      const locks = [...lockDrafts.of(run).values()].map(({ line, edits, keep }) => ({ line, edits, keep }));
      const solved = await api.solveLocked(run, { locks, until: `${this.until.value}%` });
      addRuns([solved]);
      const line = walk.fullLine.join(",");
      this.closest("tab-panel").choose("compare");
      navigate(formatAddress("run", solved.id, line));
    } catch (error) {
      this.message.textContent = error.message;
      this.solve.disabled = false;
    }
  }
}

customElements.define("lock-editor", LockEditor);
