// Keep the latest of several requests: a new one aborts the one before it.

export class LatestRequest {
  #controller = null;

  /** Return the answer of a request, or undefined if a later request replaced it; throw if the server rejected it. */
  async send(request) {
    this.#controller?.abort();
    const controller = (this.#controller = new AbortController());
    try {
      const answer = await request(controller.signal);
      return controller.signal.aborted ? undefined : answer;
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      throw error;
    }
  }

  abort() {
    this.#controller?.abort();
  }
}
