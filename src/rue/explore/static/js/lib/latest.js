// The latest of several requests: a new one ends the one before it, whose answer nobody waits for any more.

export class Latest {
  #asking = null;

  /** What a request answers; undefined if a later one took its place, an error if it was refused. */
  async ask(request) {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const found = await request(asking.signal);
      return asking.signal.aborted ? undefined : found;
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      throw error;
    }
  }

  end() {
    this.#asking?.abort();
  }
}
