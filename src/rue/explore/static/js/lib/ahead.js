// Points that a walk may come to next, asked for one after the other while nothing else is to be done.

import { api } from "./protocol.js";
import { runOf } from "./store.js";

const keyOf = (run, line) => [run, ...line].join();

export class Ahead {
  #kept = new Map();
  /** Views, or promises of them, by run and line. */
  #asking = new AbortController();

  /** Ask for some lines of a run; what was asked for before is forgotten. */
  async ask(run, lines) {
    this.end();
    const { signal } = (this.#asking = new AbortController());
    this.#kept = new Map();
    for (const line of lines) {
      const coming = api.walk(run, line, false, signal).catch(() => null);
      this.#kept.set(keyOf(run, line), coming);
      await coming;
      if (signal.aborted) return;
    }
  }

  /** What is known of a point, or undefined; nothing else is asked for any more. */
  async take(run, line) {
    const coming = this.#kept.get(keyOf(run, line));
    const view = await coming;
    this.end();
    return view && view.iteration === runOf(run)?.iteration ? view : undefined;
  }

  end() {
    this.#asking.abort();
  }
}
