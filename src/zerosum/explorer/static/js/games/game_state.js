// The chosen game and algorithms, and what the server says about them.

import { Store, addRuns, app } from "../base/store.js";
import { LatestRequest } from "../base/latest_request.js";
import { api } from "../base/api.js";

/** Milliseconds without a change after which the server is asked. */
const CHECK_DELAY = 150;

/** Milliseconds after which the estimate of the previous game is cleared. */
const CLEAR_DELAY = 400;

class GameState extends Store {
  #check = new LatestRequest();
  #timer = 0;
  /** Resolves when the runs that were requested last have been created. */
  started = Promise.resolve();

  constructor() {
    super({
      catalogue: null, // the answer of /api/games
      text: "", // the game as typed
      algorithms: ["cfr+", "dcfr", "pcfr+"],
      limits: { iterations: 1000 },
      estimate: null, // the answer of /api/game, null while the request is invalid
      message: "",
      hidden: new Set(), // ids of runs whose lines are not drawn
      axis: "iterations",
    });
  }

  async open() {
    if (!this.get("catalogue")) this.set({ catalogue: await api.games() });
  }

  /** Change some values, and check them with the server once they stop changing. */
  change(values) {
    this.set(values);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), CHECK_DELAY);
  }

  request() {
    return { game: this.get("text"), algorithms: this.get("algorithms"), ...this.get("limits") };
  }

  async check() {
    const clearing = setTimeout(() => this.set({ estimate: null, message: "" }), CLEAR_DELAY);
    try {
      const estimate = await this.#check.send((signal) => api.checkGame(this.request(), signal));
      if (estimate) this.set({ estimate, message: estimate.problem });
    } catch (error) {
      this.set({ estimate: null, message: error.message });
    } finally {
      clearTimeout(clearing);
    }
  }

  start() {
    this.started = this.#start();
  }

  async #start() {
    try {
      addRuns(await api.startRuns(this.request()));
    } catch (error) {
      this.set({ message: error.message });
    }
  }

  /** The runs of the chosen game, oldest first: their order gives each run its line style. */
  runs() {
    const game = this.get("estimate")?.game;
    return game === undefined ? [] : app.get("runs").filter((run) => run.game === game && !run.spot).reverse();
  }
}

/** The state of the page. */
export const gameState = new GameState();
