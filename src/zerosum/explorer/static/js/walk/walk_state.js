// Position in a solved spot: run, line, view, selected hands.

import { Prefetch } from "./walk_prefetch.js";
import { Store, app } from "../base/store.js";
import { LatestRequest } from "../base/latest_request.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";

/** Milliseconds that a position must be shown before its EVs are requested, so that quick steps do not wait for them. */
const EV_DELAY = 60;

/** Milliseconds after which the page says that an answer is slow. */
const SLOW_AFTER = 400;

/** Share of a running run's time that updates of its EVs may take. */
const EV_TIME_SHARE = 0.02;

/** Return columns in which what needs EVs, and is null, is taken from an earlier table of the same rows. */
const withEvs = (earlier, later) => Object.fromEntries(Object.entries(later).map(([name, value]) => [name, value ?? earlier[name]]));

export class WalkState extends Store {
  #latest = new LatestRequest();
  #timer = 0;
  #prefetch = new Prefetch();
  #loading = null;
  /** When the EVs of a running run may be requested again. */
  #evsDue = 0;
  /** Resolves when the latest requested position is shown. */
  settled = Promise.resolve();

  constructor() {
    super({
      run: null,
      line: [], // as requested
      view: null, // the server's answer for it
      position: "", // run and line of the view, as one text
      error: "",
      isSlow: false, // whether the page shows that it is waiting for the answer
      hoveredClass: null, // the class under the pointer, as its cell in the grid
      pinnedClass: null, // the class that was clicked
      mode: "strategy", // what the cells of the grid show: strategy, ev or equity
      edited: null, // { position, decision }: a decision being edited, shown in place of the solved one
      forwardLine: [], // the longest line that was walked: where the right arrow leads
    });
  }

  /** Go to a line of a run. */
  async open(run, line) {
    if (run !== this.get("run")) this.set({ view: null, position: "", forwardLine: [], hoveredClass: null, pinnedClass: null });
    this.set({ run, line });
    await (this.settled = this.refresh(true));
  }

  /** Load the current position; with `evs`, also its EVs once it has been shown for a moment. */
  async refresh(evs) {
    clearTimeout(this.#timer);
    const [run, line] = [this.get("run"), this.get("line")];
    if (run === null) return;
    const slowTimer = setTimeout(() => this.set({ isSlow: true }), SLOW_AFTER);
    try {
      const view = await this.#latest.send(async (signal) => (await this.#prefetch.take(run, line)) ?? api.walk(run, line, false, signal));
      if (!view) return;
      this.#prefetch.store(run, view);
      this.#show(this.#keepEvs(view), run);
      if (evs && view.decision && !view.decision.has_ev) this.#timer = setTimeout(() => this.#loadEvs(run, line), EV_DELAY);
      else this.#prefetchNext(run);
    } catch (error) {
      if (run === this.get("run")) this.set({ error: error.message, view: null, position: "" });
    } finally {
      clearTimeout(slowTimer);
      if (this.get("isSlow")) this.set({ isSlow: false });
    }
  }

  /** Refresh the view of a running run, with EVs if they are due; while EVs are being loaded, do nothing. */
  refreshLive() {
    if (this.#loading) return;
    if (!this.get("view")) this.refresh(true);
    else if (performance.now() < this.#evsDue) this.refresh(false);
    else this.#loadEvs(this.get("run"), this.get("line"));
  }

  /** Load a run that has halted once more, and notify the subscribers of the position. */
  async refreshFinal() {
    await this.refresh(true);
    this.set({ position: this.get("position") });
  }

  async #loadEvs(run, line) {
    const start = performance.now();
    const loading = (this.#loading = {});
    try {
      const view = await this.#latest.send((signal) => api.walk(run, line, true, signal));
      if (view) {
        this.#prefetch.store(run, view);
        this.#show(view, run);
      }
      this.#prefetchNext(run);
    } catch (error) {
      if (run === this.get("run")) this.set({ error: error.message });
    } finally {
      if (this.#loading === loading) this.#loading = null;
      this.#evsDue = performance.now() + (performance.now() - start) / EV_TIME_SHARE;
    }
  }

  /** Prefetch the previous position and those that the actions lead to, unless a run is active. */
  #prefetchNext(run) {
    const last = this.get("view")?.steps.at(-1);
    if (run !== this.get("run") || last?.kind !== "decision" || app.get("runs").some(({ state }) => state === "running" || state === "preparing")) return;
    const line = this.fullLine;
    this.#prefetch.load(run, [...last.actions.map((action) => [...line, action]), ...(line.length ? [line.slice(0, -1)] : [])]);
  }

  /** Show an answer, unless the page has left the run since the request. */
  #show(view, run) {
    if (run !== this.get("run")) return;
    const forward = this.get("forwardLine");
    const isWalked = view.line.every((word, k) => word === forward[k]);
    const position = `${run}/${view.line.join(",")}`;
    const edited = this.get("edited");
    const withEdits = edited?.position === position ? { ...view, decision: edited.decision } : view;
    this.set({ view: withEdits, error: "", ...(isWalked ? {} : { forwardLine: view.line }) });
    if (position !== this.get("position")) this.set({ position });
  }

  /** Show a decision as edited, or the solved one if it is null. */
  edit(decision) {
    if (!decision && !this.get("edited")) return;
    const view = this.get("view");
    this.set({ edited: decision && { position: this.get("position"), decision } });
    if (decision && view) this.set({ view: { ...view, decision } });
    else this.refresh(true);
  }

  /** Keep the EVs of the current view while a running run is refreshed without EVs. */
  #keepEvs(view) {
    const current = this.get("view")?.decision;
    const next = view.decision;
    if (!current?.has_ev || !next || next.has_ev || current.line.join() !== next.line.join()) return view;
    const names = ({ columns, groups }) => [columns.hand, ...Object.values(groups).map(({ name }) => name)].join();
    if (names(current) !== names(next)) return view;
    const groups = Object.fromEntries(Object.keys(next.groups).map((kind) => [kind, withEvs(current.groups[kind], next.groups[kind])]));
    const actions = next.actions.map((action, k) => withEvs(current.actions[k], action));
    const { ev, equity, decimals } = current;
    return { ...view, decision: { ...next, columns: withEvs(current.columns, next.columns), groups, actions, ev, equity, decimals, has_ev: true } };
  }

  /** The line in the words of the tree, where a shortened one was requested. */
  get fullLine() {
    return this.get("view")?.line ?? this.get("line");
  }

  step(word) {
    this.to([...this.fullLine, word]);
  }

  back() {
    if (this.fullLine.length) this.to(this.fullLine.slice(0, -1));
  }

  /** Go one step forward: where the user has been, or by the most frequent action. */
  forward() {
    const forward = this.get("forwardLine");
    const last = this.get("view")?.steps.at(-1);
    if (forward.length > this.fullLine.length) this.step(forward[this.fullLine.length]);
    else if (last?.kind === "decision") this.step(last.actions[last.frequencies.indexOf(Math.max(...last.frequencies))]);
  }

  /** Replace the last action by the one before or after it. */
  siblingAction(offset) {
    const previous = this.get("view")?.steps.at(-2);
    if (previous?.kind !== "decision") return;
    const { actions, chosen } = previous;
    this.to([...this.fullLine.slice(0, -1), actions[(actions.indexOf(chosen) + offset + actions.length) % actions.length]]);
  }

  to(line) {
    navigate(formatAddress("run", this.get("run"), line.join(",")));
  }
}

/** The walk of the page. */
export const walk = new WalkState();
