// The keyboard on a walk: numbers act, the arrows walk back and forth and to the actions beside, backspace goes back.

import { Part } from "../lib/element.js";
import { walk } from "../lib/walk.js";

const KEYS = {
  ArrowLeft: () => walk.back(),
  Backspace: () => walk.back(),
  ArrowRight: () => walk.forward(),
  ArrowUp: () => walk.beside(-1),
  ArrowDown: () => walk.beside(1),
  Escape: () => walk.set({ held: null }),
};

class WalkKeys extends Part {
  build() {
    this.hidden = true;
    this.listen(document, "keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select, [role=tab]")) return;
    if (event.key.startsWith("Arrow") && event.target.closest?.("[role=region]")) return; // it scrolls
    if (!KEYS[event.key] && !/^[1-9]$/.test(event.key)) return;
    event.preventDefault();
    this.queue = (this.queue ?? Promise.resolve()).then(() => walk.settled).then(() => this.isConnected && act(event.key));
  }
}

/** What a key does at the point that is shown by now. */
function act(key) {
  const last = walk.get("view")?.steps.at(-1);
  if (!last) return;
  if (KEYS[key]) KEYS[key]();
  else if (last.kind === "decision" && Number(key) <= last.actions.length) walk.step(last.actions[Number(key) - 1]);
}

customElements.define("walk-keys", WalkKeys);
