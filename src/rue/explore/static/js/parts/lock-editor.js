// Locking: the strategy of a decision is edited (every hand, the range as a whole, a class, one hand), marked locked, and the
// spot is solved again around what is locked. The grid shows the decision as it is edited while this panel is open.

import { Part, h } from "../lib/element.js";
import { className } from "../lib/cells.js";
import { action, percent, plain } from "../lib/format.js";
import { Latest } from "../lib/latest.js";
import { balanced, locks } from "../lib/locks.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import { app, runOf } from "../lib/store.js";
import { walk } from "../lib/walk.js";

const SCOPES = [
  ["every", "Every hand", "Every hand plays the same"],
  ["overall", "Range", "The range as a whole: the hands that lose least by it play otherwise"],
  ["class", "Class", "A class of hands: click one in the grid"],
  ["hand", "Hand", "A single hand of the class"],
];

class LockEditor extends Part {
  #latest = new Latest();
  scope = "every";
  wish = true;

  build() {
    this.scopes = SCOPES.map(([scope, title, about]) => h("button", { data: { scope }, title: about, onclick: () => this.choose(scope) }, title));
    this.hand = h("select", { "aria-label": "hand", onchange: () => this.fill() });
    this.rows = h("div.mixer");
    this.set_ = h("button", { data: { do: "set" }, onclick: () => this.edit() }, "Set");
    this.undo = h("button", { data: { do: "undo" }, title: "Take back the last edit", onclick: () => this.back() }, "Undo");
    this.mark = h("input", { type: "checkbox", name: "locked", onchange: () => this.turn() });
    this.keep = h("input", { type: "checkbox", name: "keep", props: { checked: true }, onchange: () => {
      this.wish = this.keep.checked;
      this.change({});
    } });
    this.told = h("p.muted", { role: "status" });
    this.sentence = h("p.sentence", { role: "alert" });
    this.list = h("ul.locks");
    this.until = h("input", { name: "until", type: "number", min: "0.01", max: "100", step: "0.1", "aria-label": "solve to, % of the pot" });
    this.solve = h("button.primary", { data: { do: "solve" }, onclick: () => this.start() }, "Solve again");
    this.show(
      h("div.row", h("div.segmented", this.scopes), this.hand),
      this.rows,
      h("div.row", this.set_, this.undo, h("span.grow"), h("label.row", this.mark, "Locked")),
      h("label.row", this.keep, h("span", "Other hands of it stay as they were solved; otherwise they learn")),
      this.told,
      this.sentence,
      this.list,
      h("label.row", h("span.grow", "Solve to, % of the pot"), h("span.narrow", this.until)),
      this.solve,
    );
    this.watch(walk, "point", () => this.open());
    this.watch(walk, "held", (held) => this.held(held));
    this.watch(locks, "drafts", () => this.dress());
    this.during(() => () => {
      this.#latest.end();
      walk.edit(null);
    });
  }

  get decision() {
    return walk.get("view")?.decision ?? null;
  }

  get draft() {
    return locks.of(walk.get("run")).get(walk.words.join(",")) ?? null;
  }

  open() {
    this.sentence.textContent = "";
    const run = runOf(walk.get("run"));
    if (run && this.run !== run.id) {
      this.run = run.id;
      this.until.value = Number((run.until ?? run.exploitability ?? 0.5).toPrecision(3));
    }
    this.dress();
    this.preview();
  }

  held(held) {
    if (held !== null && this.scope !== "hand") this.scope = "class";
    else if (held === null && this.scope !== "overall") this.scope = "every";
    this.dress();
  }

  choose(scope) {
    this.scope = scope;
    this.dress();
  }

  /** What is edited: hands as a lock names them; null while there are none. */
  get hands() {
    const held = walk.get("held");
    return { every: "", overall: "overall", class: held === null ? null : className(held), hand: held === null ? null : this.hand.value || null }[this.scope];
  }

  dress() {
    const { decision, draft } = this;
    if (!decision) return;
    const held = walk.get("held");
    const members = held === null ? [] : decision.hands.name.filter((_, k) => decision.hands.cell[k] === held);
    for (const button of this.scopes) {
      button.setAttribute("aria-pressed", String(button.dataset.scope === this.scope));
      if (button.dataset.scope === "class") button.textContent = held === null ? "Class" : className(held);
    }
    const kept = this.hand.value;
    this.hand.replaceChildren(...members.map((name) => h("option", { value: name }, name)));
    if (members.includes(kept)) this.hand.value = kept;
    this.hand.hidden = this.scope !== "hand" || !members.length;
    this.mark.checked = draft !== null;
    this.keep.checked = draft?.keep ?? this.wish;
    this.undo.disabled = !draft?.edits.length;
    const locked = (runOf(walk.get("run"))?.locks ?? []).length > 0;
    this.set_.disabled = this.mark.disabled = locked;
    if (locked) this.told.textContent = "This run has locks already: lock decisions of the run without them. The tab Compare leads there.";
    this.fill();
    this.tellLocks();
  }

  /** The mixer has what the chosen hands play now. */
  fill() {
    const { decision } = this;
    const { choices, classes, hands } = decision;
    const at = this.scope === "class" ? classes.cell.indexOf(walk.get("held")) : this.scope === "hand" ? hands.name.indexOf(this.hand.value) : -1;
    const part = this.scope === "class" ? classes : hands;
    this.mix = choices.map((choice, a) => (at < 0 ? choice.frequency : part.strategy[a][at]));
    this.mixer(choices);
  }

  mixer(choices) {
    this.inputs = choices.map(({ name, label, colour }, a) => {
      const slide = h("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": `how often ${label}`, oninput: () => this.mixed(a, slide.value / 100) });
      const number = h("input", { type: "number", min: 0, max: 100, step: 0.1, data: { mix: name }, "aria-label": `${label}, in percent`, onchange: () => this.mixed(a, Math.min(1, Math.max(0, number.value / 100))) });
      return { slide, number, row: h("label", h("i.swatch", { style: { background: colour } }), h("span", action(label)), slide, number, "%") };
    });
    this.rows.replaceChildren(...this.inputs.map(({ row }) => row));
    this.tellMix();
  }

  mixed(at, share) {
    this.mix = balanced(this.mix, at, share);
    this.tellMix();
  }

  tellMix() {
    this.inputs.forEach(({ slide, number }, a) => {
      slide.value = 100 * this.mix[a];
      number.value = Number((100 * this.mix[a]).toFixed(1));
    });
    this.set_.disabled = this.hands === null || this.mark.disabled;
  }

  edit() {
    const { choices } = this.decision;
    const mix = Object.fromEntries(choices.map(({ name }, a) => [name, this.mix[a]]).filter(([, share]) => share > 0));
    this.change({ edits: [...(this.draft?.edits ?? []), { hands: this.hands, mix }] });
  }

  back() {
    this.change({ edits: this.draft.edits.slice(0, -1) });
  }

  turn() {
    this.change(this.mark.checked ? { edits: [] } : null);
  }

  /** Change the lock of this decision, if the server makes something of it. */
  change(parts) {
    const before = this.draft;
    if (parts && !before && !parts.edits) return;
    locks.change(walk.get("run"), walk.words, parts && { edits: [], text: "", ...before, keep: this.keep.checked, ...parts });
    this.preview(before);
  }

  /** Ask what the edits make of the decision; what is refused is taken back. */
  async preview(before = null) {
    const [run, line, draft] = [walk.get("run"), walk.words, this.draft];
    this.told.textContent = "";
    if (!draft) {
      this.#latest.end();
      walk.edit(null);
      return;
    }
    try {
      const found = await this.#latest.ask((signal) => api.edited(run, draft, signal));
      if (!found) return;
      this.sentence.textContent = "";
      draft.text = found.text;
      walk.edit(found.decision);
      const cost = found.costs > 0.5 * 10 ** -found.decision.decimals ? `costs ${plain(found.costs, found.decision.decimals)} a hand here while nobody adapts` : "costs nothing here while nobody adapts";
      this.told.textContent = `${found.locked.length} of ${found.decision.hands.name.length} hands are locked: ${cost}`;
      this.dress();
    } catch (error) {
      this.sentence.textContent = error.message;
      locks.change(run, line, before);
    }
  }

  tellLocks() {
    const run = walk.get("run");
    const own = [...locks.of(run).values()];
    this.list.replaceChildren(...own.map(({ line, text }) =>
      h("li", h("a", { href: address("run", run, line) }, text.replace(": @", ": ") || line || "start"), h("button.quiet", { "aria-label": `unlock ${line || "start"}`, onclick: () => {
        locks.change(run, line.split(",").filter(Boolean), null);
        this.preview();
      } }, "✕"))));
    this.solve.disabled = !own.length;
    this.solve.textContent = own.length > 1 ? `Solve again with ${own.length} locks` : "Solve again with the lock";
  }

  async start() {
    const run = walk.get("run");
    this.solve.disabled = true;
    try {
      const asked = [...locks.of(run).values()].map(({ line, edits, keep }) => ({ line, edits, keep }));
      const made = await api.lock(run, { locks: asked, until: `${this.until.value}%` });
      if (!app.get("runs").some((each) => each.id === made.id)) app.set({ runs: [made, ...app.get("runs")] });
      const line = walk.words.join(",");
      this.closest("tab-panel").choose("compare");
      go(address("run", made.id, line));
    } catch (error) {
      this.sentence.textContent = error.message;
      this.solve.disabled = false;
    }
  }
}

customElements.define("lock-editor", LockEditor);
