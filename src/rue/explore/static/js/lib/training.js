// A training: the run, and what the server tells of its hand, the last answer and the score.

import { api } from "./protocol.js";
import { Store } from "./store.js";

class Trainer extends Store {
  #asked = null; // the last request, until it is answered and after

  constructor() {
    super({
      run: null,
      told: null, // what the server says; null before a training has begun
      answer: null, // the last answer, graded; it stays while the hand goes on
      error: "",
      asking: false,
    });
  }

  /** Look at the training of a run, if there is one. */
  async open(run) {
    if (run === this.get("run")) return;
    this.set({ run, told: null, answer: null, error: "" });
    await this.#ask(() => api.training(run));
  }

  /** A new training, once what is being asked has been answered: pressed early, it is not lost. */
  async begin(asked) {
    await this.#asked;
    this.set({ answer: null });
    return this.#ask(() => api.train(this.get("run"), asked));
  }

  answer(action) {
    const { line } = this.get("told").hand;
    return this.#ask(() => api.answer(this.get("run"), line, action));
  }

  deal() {
    this.set({ answer: null });
    return this.#ask(() => api.deal(this.get("run")));
  }

  /** One request after the other: a key that is held down answers once. */
  #ask(request) {
    if (!this.get("asking")) this.#asked = this.#answered(request);
    return this.#asked;
  }

  async #answered(request) {
    const run = this.get("run");
    this.set({ asking: true });
    try {
      const told = await request();
      if (run === this.get("run")) this.set({ told, error: "", ...(told?.answer ? { answer: told.answer } : {}) });
    } catch (error) {
      if (run === this.get("run")) this.set({ error: error.message });
    } finally {
      this.set({ asking: false });
    }
  }
}

/** The training of the page. */
export const trainer = new Trainer();
