// The decisions of a run that are to be locked, as they are edited: by run and line, with edits in their order.

import { Store } from "./store.js";

class Locks extends Store {
  /** The locks of a run: `{line, edits: [{hands, mix}], keep, text}`, by their lines. */
  of(run) {
    return this.get("drafts").get(run) ?? new Map();
  }

  /** Change the lock at a line; null takes it away. */
  change(run, line, lock) {
    const drafts = new Map(this.get("drafts"));
    const own = new Map(this.of(run));
    if (lock) own.set(line.join(","), { ...lock, line: line.join(",") });
    else own.delete(line.join(","));
    drafts.set(run, own);
    this.set({ drafts });
  }

  clear(run) {
    const drafts = new Map(this.get("drafts"));
    drafts.delete(run);
    this.set({ drafts });
  }
}

/** The locks of the page. */
export const locks = new Locks({ drafts: new Map() });

/** Shares that sum to 1 after one of them is set: the others keep their proportions. */
export function balanced(shares, at, share) {
  const rest = shares.reduce((sum, each, k) => (k === at ? sum : sum + each), 0);
  return shares.map((each, k) => (k === at ? share : rest > 0 ? (each / rest) * (1 - share) : (1 - share) / (shares.length - 1)));
}
