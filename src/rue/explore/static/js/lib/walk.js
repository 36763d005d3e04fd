// Where one is in a solved spot: the run, the line, what is shown there, and which hands are chosen.

import { Store } from "./store.js";
import { api } from "./protocol.js";
import { address, go } from "./router.js";

const SETTLED = 60;
/** Milliseconds that a point must be shown before its EVs are asked for: who steps on does not wait for them. */

export class Walk extends Store {
  #asking = null;
  #timer = 0;

  constructor() {
    super({
      run: null,
      line: [], // as it is asked for
      view: null, // what the server says of it
      error: "",
      cell: null, // the class under the pointer, by its place in the grid
      held: null, // the class that was clicked
      mode: "strategy",
    });
  }

  /** Go to a line of a run, as the address says. */
  async open(run, line) {
    if (run !== this.get("run")) this.set({ view: null, cell: null, held: null });
    this.set({ run, line });
    await this.refresh(true);
  }

  /** Ask for what is shown; `evs` also for what the hands earn, when the point stays. */
  async refresh(evs) {
    this.#asking?.abort();
    clearTimeout(this.#timer);
    const asking = (this.#asking = new AbortController());
    const [run, line] = [this.get("run"), this.get("line")];
    try {
      const view = await api.walk(run, line, false, asking.signal);
      if (asking.signal.aborted) return;
      this.set({ view: this.#with(view), error: "" });
      if (evs && view.decision && !view.decision.judged) this.#timer = setTimeout(() => this.#judge(asking), SETTLED);
    } catch (error) {
      if (error.name !== "AbortError") this.set({ error: error.message, view: null });
    }
  }

  async #judge(asking) {
    try {
      const view = await api.walk(this.get("run"), this.get("line"), true, asking.signal);
      if (!asking.signal.aborted) this.set({ view });
    } catch (error) {
      if (error.name !== "AbortError") this.set({ error: error.message });
    }
  }

  /** EVs that are known stay while a run that goes on is looked at again. */
  #with(view) {
    const before = this.get("view")?.decision;
    const now = view.decision;
    if (!before?.judged || !now || now.judged || before.line.join() !== now.line.join()) return view;
    if (before.hands.name.length !== now.hands.name.length) return view;
    const { equity, ev, evs } = before.hands;
    const classes = { ...now.classes };
    if (before.classes.name.join() === now.classes.name.join()) Object.assign(classes, { ev: before.classes.ev, evs: before.classes.evs });
    return { ...view, decision: { ...now, judged: classes.ev !== null, hands: { ...now.hands, equity, ev, evs }, classes, equity: before.equity } };
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

  to(line) {
    go(address("run", this.get("run"), line.join(",")));
  }
}

/** The walk of the page. */
export const walk = new Walk();
