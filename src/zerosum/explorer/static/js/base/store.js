// Observable values, by key.

export class Store {
  #values;
  #listeners = new Map();

  constructor(values) {
    this.#values = { ...values };
  }

  get(key) {
    return this.#values[key];
  }

  /** Change some values and call the listeners of their keys. */
  set(changes) {
    Object.assign(this.#values, changes);
    for (const key of Object.keys(changes)) {
      for (const listener of [...(this.#listeners.get(key) ?? [])]) listener(this.#values[key]);
    }
  }

  /** Call `listener` with the value of a key, now and on every change; return the function that ends this. */
  subscribe(key, listener) {
    if (!this.#listeners.has(key)) this.#listeners.set(key, new Set());
    this.#listeners.get(key).add(listener);
    listener(this.#values[key]);
    return () => this.#listeners.get(key).delete(listener);
  }
}

/** What all pages share. */
export const app = new Store({
  server: null, // the answer of /api/state
  runs: [], // all runs, newest first
  figure: null, // progress of the figure being computed
  report: null, // progress of the report being computed
  live: false, // whether the event stream is open
  route: { page: "home", parts: [] },
});

/** List runs that were just started, unless an event has listed them already. */
export function addRuns(runs) {
  const listed = new Set(app.get("runs").map((run) => run.id));
  app.set({ runs: [...runs.filter((run) => !listed.has(run.id)).reverse(), ...app.get("runs")] });
}

/** Return the run with this id, or null. */
export function findRun(id) {
  return app.get("runs").find((run) => run.id === id) ?? null;
}
