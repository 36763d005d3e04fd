// What several parts of the page share: values by key, and who follows them.

export class Store {
  #values;
  #followers = new Map();

  constructor(values) {
    this.#values = { ...values };
  }

  get(key) {
    return this.#values[key];
  }

  /** Change some values; who follows one of them is told. */
  set(changes) {
    Object.assign(this.#values, changes);
    for (const key of Object.keys(changes)) {
      for (const tell of [...(this.#followers.get(key) ?? [])]) tell(this.#values[key]);
    }
  }

  /** Be told the value of a key, now and whenever it changes; returns what ends that. */
  follow(key, tell) {
    if (!this.#followers.has(key)) this.#followers.set(key, new Set());
    this.#followers.get(key).add(tell);
    tell(this.#values[key]);
    return () => this.#followers.get(key).delete(tell);
  }
}

/** What the whole page shares. */
export const app = new Store({
  server: null, // what /api/state says
  runs: [], // all runs, the newest first
  figure: null, // the figure that is run, as far as it is
  report: null, // the report that is made, as far as it is
  live: false, // whether the stream of events is open
  route: { page: "home", parts: [] },
});

/** A run by its id. */
export function runOf(id) {
  return app.get("runs").find((run) => run.id === id) ?? null;
}
