// The spot being built, as typed and as the server understands it.

import { LatestRequest } from "../base/latest_request.js";
import { Store } from "../base/store.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";

/** Milliseconds without a change after which the server is asked. */
const CHECK_DELAY = 120;

export class SpotDraft extends Store {
  #check = new LatestRequest();
  #loads = 0;
  #timer = 0;

  constructor() {
    super({
      spot: {}, // as typed
      check: null, // the last answer of /api/spot, null while the spot is invalid
      message: "",
      loadCount: 0, // grows when another spot is loaded
      half: false,
    });
  }

  /** Change some values of the spot; null removes one. */
  change(values) {
    const spot = { ...this.get("spot"), ...values };
    for (const [name, value] of Object.entries(values)) if (value === null) delete spot[name];
    this.set({ spot });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), CHECK_DELAY);
  }

  /** Load another spot: `{ spot }`, `{ text }` of a file or link, or `{ link }`. Return whether it is valid. */
  async load(source) {
    const number = ++this.#loads;
    try {
      const check = await api.checkSpot({ ...source, half: this.get("half") });
      if (number < this.#loads) return true; // a newer load replaces this one
      clearTimeout(this.#timer);
      this.#check.abort();
      this.set({ spot: check.spot, loadCount: this.get("loadCount") + 1 });
      this.#apply(check);
      return true;
    } catch (error) {
      this.set({ message: error.message });
      return false;
    }
  }

  async check() {
    try {
      const check = await this.#check.send((signal) => api.checkSpot({ spot: this.get("spot"), half: this.get("half") }, signal));
      if (check) this.#apply(check);
    } catch (error) {
      this.set({ check: null, message: error.message });
    }
  }

  #apply(check) {
    this.set({ check, message: check.too_large });
    if (location.hash.startsWith("#/build")) navigate(formatAddress("build", check.link), true);
  }
}

/** The draft of the page. */
export const draft = new SpotDraft();
