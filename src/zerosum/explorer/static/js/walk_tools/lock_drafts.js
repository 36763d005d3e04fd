// Locks being edited, by run and line.

import { Store } from "../base/store.js";

class LockDrafts extends Store {
  /** Return the locks of a run by line: `{ line, edits: [{ hands, mix }], keep, text }`. */
  of(run) {
    return this.get("drafts").get(run) ?? new Map();
  }

  /** Change the lock at a line; null removes it. */
  change(run, line, lock) {
    const drafts = new Map(this.get("drafts"));
    const locks = new Map(this.of(run));
    if (lock) locks.set(line.join(","), { ...lock, line: line.join(",") });
    else locks.delete(line.join(","));
    drafts.set(run, locks);
    this.set({ drafts });
  }

  clear(run) {
    const drafts = new Map(this.get("drafts"));
    drafts.delete(run);
    this.set({ drafts });
  }
}

/** The drafts of the page. */
export const lockDrafts = new LockDrafts({ drafts: new Map() });

/** Set one share and scale the others in proportion, so that all sum to 1. */
export function rebalance(shares, index, share) {
  const rest = shares.reduce((sum, other, k) => (k === index ? sum : sum + other), 0);
  return shares.map((other, k) => (k === index ? share : rest > 0 ? (other / rest) * (1 - share) : (1 - share) / (shares.length - 1)));
}
