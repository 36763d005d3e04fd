// The spot that is being built: its names and values as they are typed, and what the server makes of them.

import { Store } from "./store.js";
import { api } from "./protocol.js";
import { address, go } from "./router.js";

const PAUSE = 120;
/** Milliseconds without a change before the server is asked. */

export class Draft extends Store {
  #asking = null;
  #loads = 0;
  #timer = 0;

  constructor() {
    super({
      spot: {}, // as it is typed
      found: null, // what /api/spot said of it last, null while it means nothing
      sentence: "",
      loaded: 0, // goes up when another spot takes its place
      half: false,
    });
  }

  /** Change some parts; null takes one out. */
  change(parts) {
    const spot = { ...this.get("spot"), ...parts };
    for (const [name, value] of Object.entries(parts)) if (value === null) delete spot[name];
    this.set({ spot });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), PAUSE);
  }

  /** Take another spot: `{spot}`, `{text}` of a file or link, or `{link}`. Returns whether it means something. */
  async load(asked) {
    const number = ++this.#loads;
    try {
      const found = await api.checkSpot({ ...asked, half: this.get("half") });
      if (number < this.#loads) return true; // a newer one is on its way
      clearTimeout(this.#timer);
      this.#asking?.abort();
      this.set({ spot: found.spot, loaded: this.get("loaded") + 1 });
      this.#told(found);
      return true;
    } catch (error) {
      this.set({ sentence: error.message });
      return false;
    }
  }

  async check() {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const found = await api.checkSpot({ spot: this.get("spot"), half: this.get("half") }, asking.signal);
      if (!asking.signal.aborted) this.#told(found);
    } catch (error) {
      if (error.name !== "AbortError") this.set({ found: null, sentence: error.message });
    }
  }

  #told(found) {
    this.set({ found, sentence: found.too_large });
    if (location.hash.startsWith("#/build")) go(address("build", found.link), true);
  }
}

/** The draft of the page. */
export const draft = new Draft();
