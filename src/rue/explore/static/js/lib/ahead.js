// Points of a walk that are known before it comes to them: those that were shown, and those that it may come to next,
// asked for one after the other while nothing else is to be done.

import { api } from "./protocol.js";
import { runOf } from "./store.js";

const MOST = 32;
/** Points that are remembered. */

const keyOf = (run, line) => [run, ...line].join();

export class Ahead {
  #kept = new Map();
  /** Views, or promises of them, by run and line, the newest last. */
  #asking = new AbortController();

  /** Remember a point that is shown. */
  keep(run, view) {
    const key = keyOf(run, view.line);
    this.#kept.delete(key);
    this.#kept.set(key, view);
    while (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value);
  }

  /** Ask for the lines of a run that are not known. */
  async ask(run, lines) {
    this.end();
    const { signal } = (this.#asking = new AbortController());
    for (const line of lines) {
      if (await this.#known(run, line)) continue;
      if (signal.aborted) return;
      const key = keyOf(run, line);
      const coming = api.walk(run, line, false, signal).catch(() => null);
      this.#kept.set(key, coming);
      const view = await coming;
      if (this.#kept.get(key) !== coming) continue; // it was shown in the meantime
      if (view) this.keep(run, view);
      else this.#kept.delete(key);
    }
  }

  /** What is known of a point, or undefined; nothing else is asked for any more. */
  async take(run, line) {
    const view = await this.#known(run, line);
    this.end();
    return view;
  }

  async #known(run, line) {
    const view = await this.#kept.get(keyOf(run, line));
    return view && view.iteration === runOf(run)?.iteration ? view : undefined;
  }

  end() {
    this.#asking.abort();
  }
}
