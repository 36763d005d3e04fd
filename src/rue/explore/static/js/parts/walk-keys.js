// The keyboard on a walk: numbers act, backspace and the left arrow go back.

import { Part } from "../lib/element.js";
import { walk } from "../lib/walk.js";

class WalkKeys extends Part {
  build() {
    this.hidden = true;
    this.listen(document, "keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const last = walk.get("view")?.steps.at(-1);
    if (!last) return;
    const number = Number(event.key);
    if (last.kind === "decision" && number >= 1 && number <= last.actions.length) walk.step(last.actions[number - 1]);
    else if (event.key === "Backspace" || event.key === "ArrowLeft") walk.back();
    else return;
    event.preventDefault();
  }
}

customElements.define("walk-keys", WalkKeys);
