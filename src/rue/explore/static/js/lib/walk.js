// Where one is in a solved spot: the run, the line, what is shown there, and which hands are chosen.

import { Ahead } from "./ahead.js";
import { Store, app } from "./store.js";
import { Latest } from "./latest.js";
import { api } from "./protocol.js";
import { address, go } from "./router.js";

const SETTLED = 60;
/** Milliseconds that a point must be shown before its EVs are asked for: who steps on does not wait for them. */

const SLOW = 400;
/** Milliseconds after which it is said that an answer takes long. */

const LOOKS = 0.02;
/** Share of the time of a run that goes on which looking at its EVs again may take. */

export class Walk extends Store {
  #latest = new Latest();
  #timer = 0;
  #ahead = new Ahead();
  #judging = null;
  #due = 0;
  /** When EVs of a run that goes on may be asked for again. */
  settled = Promise.resolve();
  /** Resolves when the point that was asked for last is shown. */

  constructor() {
    super({
      run: null,
      line: [], // as it is asked for
      view: null, // what the server says of it
      point: "", // the run and the line that are shown, as one text
      error: "",
      reading: false, // whether the answer takes so long that one should know
      cell: null, // the class under the pointer, by its place in the grid
      held: null, // the class that was clicked
      mode: "strategy", // what the cells of the grid show: strategy, ev or equity
      edited: null, // {point, decision}: a decision as somebody edits it, shown instead of the solved one
      ahead: [], // the line as far as it was walked: where the right arrow leads
    });
  }

  /** Go to a line of a run, as the address says. */
  async open(run, line) {
    if (run !== this.get("run")) this.set({ view: null, point: "", ahead: [], cell: null, held: null });
    this.set({ run, line });
    await (this.settled = this.refresh(true));
  }

  /** Ask for what is shown; `evs` also for what the hands earn, when the point stays. */
  async refresh(evs) {
    clearTimeout(this.#timer);
    const [run, line] = [this.get("run"), this.get("line")];
    if (run === null) return;
    const slow = setTimeout(() => this.set({ reading: true }), SLOW);
    try {
      const view = await this.#latest.ask(async (signal) => (await this.#ahead.take(run, line)) ?? api.walk(run, line, false, signal));
      if (!view) return;
      this.#ahead.keep(run, view);
      this.#show(this.#with(view), run);
      if (evs && view.decision && !view.decision.judged) this.#timer = setTimeout(() => this.#judge(run, line), SETTLED);
      else this.#lookAhead(run);
    } catch (error) {
      if (run === this.get("run")) this.set({ error: error.message, view: null, point: "" });
    } finally {
      clearTimeout(slow);
      if (this.get("reading")) this.set({ reading: false });
    }
  }

  /** Look again at a run that goes on: at EVs, too, if they are due; those that are on their way are waited for. */
  again() {
    if (this.#judging) return;
    if (!this.get("view")) this.refresh(true);
    else if (performance.now() < this.#due) this.refresh(false);
    else this.#judge(this.get("run"), this.get("line"));
  }

  /** Look once more at a run that has come to a halt; whoever follows the point does, too. */
  async renew() {
    await this.refresh(true);
    this.set({ point: this.get("point") });
  }

  async #judge(run, line) {
    const began = performance.now();
    const judging = (this.#judging = {});
    try {
      const view = await this.#latest.ask((signal) => api.walk(run, line, true, signal));
      if (view) {
        this.#ahead.keep(run, view);
        this.#show(view, run);
      }
      this.#lookAhead(run);
    } catch (error) {
      if (run === this.get("run")) this.set({ error: error.message });
    } finally {
      if (this.#judging === judging) this.#judging = null;
      this.#due = performance.now() + (performance.now() - began) / LOOKS;
    }
  }

  /** Ask for where every action leads and for the point before, once everything is shown; not while a run is on its way. */
  #lookAhead(run) {
    const last = this.get("view")?.steps.at(-1);
    if (run !== this.get("run") || last?.kind !== "decision" || app.get("runs").some(({ state }) => state === "running" || state === "preparing")) return;
    const words = this.words;
    this.#ahead.ask(run, [...last.actions.map((action) => [...words, action]), ...(words.length ? [words.slice(0, -1)] : [])]);
  }

  /** Show an answer, unless the run was left while it was on its way. */
  #show(view, run) {
    if (run !== this.get("run")) return;
    const ahead = this.get("ahead");
    const walked = view.line.every((word, k) => word === ahead[k]);
    const point = `${run}/${view.line.join(",")}`;
    const edited = this.get("edited");
    const shown = edited?.point === point ? { ...view, decision: edited.decision } : view;
    this.set({ view: shown, error: "", ...(walked ? {} : { ahead: view.line }) });
    if (point !== this.get("point")) this.set({ point });
  }

  /** Show the decision as it is edited; null for what was solved. */
  edit(decision) {
    if (!decision && !this.get("edited")) return;
    const view = this.get("view");
    this.set({ edited: decision && { point: this.get("point"), decision } });
    if (decision && view) this.set({ view: { ...view, decision } });
    else this.refresh(true);
  }

  /** EVs that are known stay while a run that goes on is looked at again. */
  #with(view) {
    const before = this.get("view")?.decision;
    const now = view.decision;
    if (!before?.judged || !now || now.judged || before.line.join() !== now.line.join()) return view;
    const parts = {};
    for (const part of ["hands", "classes", "made", "draws"]) {
      if (before[part].name.join() !== now[part].name.join()) return view;
      const { ev, evs, equity } = before[part];
      parts[part] = { ...now[part], ev, evs, equity };
    }
    const choices = now.choices.map((choice, k) => {
      const { ev, range_ev, regret } = before.choices[k];
      return { ...choice, ev, range_ev, regret };
    });
    const { ev, equity, decimals } = before;
    return { ...view, decision: { ...now, ...parts, choices, ev, equity, decimals, judged: true } };
  }

  /** The words of the line as the tree has them. */
  get words() {
    return this.get("view")?.line ?? this.get("line");
  }

  step(word) {
    this.to([...this.words, word]);
  }

  back() {
    if (this.words.length) this.to(this.words.slice(0, -1));
  }

  /** Go on: where one has been, or by the action that is taken most often. */
  forward() {
    const ahead = this.get("ahead");
    const last = this.get("view")?.steps.at(-1);
    if (ahead.length > this.words.length) this.step(ahead[this.words.length]);
    else if (last?.kind === "decision") this.step(last.actions[last.frequencies.indexOf(Math.max(...last.frequencies))]);
  }

  /** Take the action before or after the one that was taken last. */
  beside(by) {
    const before = this.get("view")?.steps.at(-2);
    if (before?.kind !== "decision") return;
    const { actions, taken } = before;
    this.to([...this.words.slice(0, -1), actions[(actions.indexOf(taken) + by + actions.length) % actions.length]]);
  }

  to(line) {
    go(address("run", this.get("run"), line.join(",")));
  }
}

/** The walk of the page. */
export const walk = new Walk();
