// Keyboard shortcuts of the walk: digits act, left and right go back and forth, up and down change the last action.

import { Component } from "../base/element.js";
import { walk } from "./walk_state.js";

const KEYS = {
  ArrowLeft: () => walk.back(),
  Backspace: () => walk.back(),
  ArrowRight: () => walk.forward(),
  ArrowUp: () => walk.siblingAction(-1),
  ArrowDown: () => walk.siblingAction(1),
  Escape: () => walk.set({ pinnedClass: null }),
};

class WalkShortcuts extends Component {
  build() {
    this.hidden = true;
    this.listen(document, "keydown", (event) => this.onKey(event));
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select, [role=tab]")) return;
    if (event.key.startsWith("Arrow") && event.target.closest?.("[role=region]")) return; // arrows scroll there
    if (!KEYS[event.key] && !/^[1-9]$/.test(event.key)) return;
    event.preventDefault();
    this.queue = (this.queue ?? Promise.resolve()).then(() => walk.settled).then(() => this.isConnected && runShortcut(event.key));
  }
}

/** Do what a key means at the position that is shown by now. */
function runShortcut(key) {
  const last = walk.get("view")?.steps.at(-1);
  if (!last) return;
  if (KEYS[key]) KEYS[key]();
  else if (last.kind === "decision" && Number(key) <= last.actions.length) walk.step(last.actions[Number(key) - 1]);
}

customElements.define("walk-shortcuts", WalkShortcuts);
