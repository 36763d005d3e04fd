// Prefetch the positions that an action may lead to, one after the other, and remember those that were shown.

import { api } from "../base/api.js";
import { findRun } from "../base/store.js";

const MAX_VIEWS = 32;

const keyOf = (run, line) => [run, ...line].join();

export class Prefetch {
  /** Views, or promises of views, by run and line, newest last. */
  #views = new Map();
  #controller = new AbortController();

  /** Remember a view that is shown. */
  store(run, view) {
    const key = keyOf(run, view.line);
    this.#views.delete(key);
    this.#views.set(key, view);
    while (this.#views.size > MAX_VIEWS) this.#views.delete(this.#views.keys().next().value);
  }

  /** Load the views of the lines that are missing. */
  async load(run, lines) {
    this.abort();
    const { signal } = (this.#controller = new AbortController());
    for (const line of lines) {
      if (await this.#find(run, line)) continue;
      if (signal.aborted) return;
      const key = keyOf(run, line);
      const pending = api.walk(run, line, false, signal).catch(() => null);
      this.#views.set(key, pending);
      const view = await pending;
      if (this.#views.get(key) !== pending) continue; // it was shown and stored in the meantime
      if (view) this.store(run, view);
      else this.#views.delete(key);
    }
  }

  /** Return the view of a line, or undefined, and stop loading others. */
  async take(run, line) {
    const view = await this.#find(run, line);
    this.abort();
    return view;
  }

  async #find(run, line) {
    const view = await this.#views.get(keyOf(run, line));
    return view && view.iteration === findRun(run)?.iteration ? view : undefined;
  }

  abort() {
    this.#controller.abort();
  }
}
