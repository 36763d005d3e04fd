// The hand in training, the last answer and the score.

import { api } from "../base/api.js";
import { Store } from "../base/store.js";

class TrainingState extends Store {
  #request = null; // the latest request, also after its answer

  constructor() {
    super({
      run: null,
      training: null, // the server's answer; null before a training has started
      answer: null, // the last answer with its grade; it stays while the hand continues
      error: "",
      busy: false,
    });
  }

  /** Open the training of a run, if there is one. */
  async open(run) {
    if (run === this.get("run")) return;
    this.set({ run, training: null, answer: null, error: "" });
    await this.#send(() => api.training(run));
  }

  /** Start a new training after the current request, so that an early click is not lost. */
  async start(options) {
    await this.#request;
    this.set({ answer: null });
    return this.#send(() => api.startTraining(this.get("run"), options));
  }

  answer(action) {
    const { line } = this.get("training").hand;
    return this.#send(() => api.answerHand(this.get("run"), line, action));
  }

  deal() {
    this.set({ answer: null });
    return this.#send(() => api.dealHand(this.get("run")));
  }

  /** Send one request at a time, so that a key that is held down answers once. */
  #send(request) {
    if (!this.get("busy")) this.#request = this.#sendNow(request);
    return this.#request;
  }

  async #sendNow(request) {
    const run = this.get("run");
    this.set({ busy: true });
    try {
      const training = await request();
      if (run === this.get("run")) this.set({ training, error: "", ...(training?.answer ? { answer: training.answer } : {}) });
    } catch (error) {
      if (run === this.get("run")) this.set({ error: error.message });
    } finally {
      this.set({ busy: false });
    }
  }
}

/** The training of the page. */
export const trainingState = new TrainingState();
