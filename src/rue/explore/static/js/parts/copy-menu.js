// A point of the walk for other programs: its hands as CSV, as Pio tells it, both ranges as text, a picture of the grid.

import { Part, h } from "../lib/element.js";
import { copy, save } from "../lib/give.js";
import { gridPicture, png } from "../lib/picture.js";
import { api } from "../lib/protocol.js";
import { walk } from "../lib/walk.js";

const TEXTS = [
  ["csv", "Hands as CSV"],
  ["pio", "Pio: node and strategy"],
  ["ranges", "Both ranges as text"],
];

class CopyMenu extends Part {
  build() {
    this.menu = h("select", { "aria-label": "copy this point", onchange: () => this.chosen() },
      h("option", { value: "" }, "Copy…"), TEXTS.map(([value, title]) => h("option", { value }, title)), h("option", { value: "line" }, "The line"), h("option", { value: "png" }, "Picture (PNG)"), h("option", { value: "svg" }, "Picture (SVG)"));
    this.said = h("span.muted", { role: "status" });
    this.classList.add("row");
    this.show(this.said, this.menu);
    this.watch(walk, "point", () => {
      const view = walk.get("view");
      for (const option of this.menu.options) option.disabled = !view || (!view.decision && !["", "ranges", "line"].includes(option.value));
    });
  }

  async chosen() {
    const what = this.menu.value;
    this.menu.value = "";
    const { decision } = walk.get("view");
    try {
      if (what === "svg") save(gridPicture(decision), "range.svg", "image/svg+xml");
      else if (what === "png") save(await png(gridPicture(decision)), "range.png");
      else if (await copy(what === "line" ? walk.words.join(" ") : (await api.text(walk.get("run"), walk.words, what)).text)) this.say("copied");
    } catch (error) {
      this.say(error.message);
    }
  }

  say(text) {
    this.said.textContent = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.said.textContent = ""), 2500);
  }
}

customElements.define("copy-menu", CopyMenu);
