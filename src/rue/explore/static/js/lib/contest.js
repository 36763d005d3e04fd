// Several algorithms on one game: what is chosen, and what the server says of it.

import { Store, app } from "./store.js";
import { Latest } from "./latest.js";
import { api } from "./protocol.js";

const PAUSE = 150;
/** Milliseconds without a change before the server is asked. */

const SLOW = 400;
/** Milliseconds after which what was said of another game is taken back. */

class Contest extends Store {
  #latest = new Latest();
  #timer = 0;

  constructor() {
    super({
      catalogue: null, // what /api/games says
      text: "", // the game as it is typed
      algorithms: ["cfr+", "dcfr", "pcfr+"],
      ends: { iterations: 1000 },
      found: null, // what /api/game said of all that, null while it means nothing
      sentence: "",
      hidden: new Set(), // runs whose lines are not drawn, by id
      across: "iterations",
    });
  }

  async open() {
    if (!this.get("catalogue")) this.set({ catalogue: await api.games() });
  }

  /** Change what is asked for; the server is asked when nothing changes any more. */
  change(parts) {
    this.set(parts);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), PAUSE);
  }

  asked() {
    return { game: this.get("text"), algorithms: this.get("algorithms"), ...this.get("ends") };
  }

  async check() {
    const slow = setTimeout(() => this.set({ found: null, sentence: "" }), SLOW);
    try {
      const found = await this.#latest.ask((signal) => api.checkGame(this.asked(), signal));
      if (found) this.set({ found, sentence: found.sentence });
    } catch (error) {
      this.set({ found: null, sentence: error.message });
    } finally {
      clearTimeout(slow);
    }
  }

  async start() {
    try {
      const made = await api.newRuns(this.asked());
      const known = new Set(app.get("runs").map((run) => run.id));
      app.set({ runs: [...made.filter((run) => !known.has(run.id)).reverse(), ...app.get("runs")] });
    } catch (error) {
      this.set({ sentence: error.message });
    }
  }

  /** The runs of the game that is chosen, the oldest first: their places are those of their lines. */
  runs() {
    const game = this.get("found")?.game;
    return game === undefined ? [] : app.get("runs").filter((run) => run.game === game && !run.spot).reverse();
  }
}

/** The contest of the page. */
export const contest = new Contest();
