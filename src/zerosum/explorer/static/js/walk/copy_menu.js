// Copy the decision: CSV, Pio text, ranges as text, or a picture of the grid.

import { Component, flash, h } from "../base/element.js";
import { copyText, saveFile } from "../base/download.js";
import { gridSvg, toPng } from "./grid_image.js";
import { api } from "../base/api.js";
import { walk } from "./walk_state.js";

const TEXTS = [
  ["csv", "Hands as CSV"],
  ["pio", "PioSolver: node and strategy"],
  ["ranges", "Both ranges as text"],
];

class CopyMenu extends Component {
  build() {
    this.menu = h("select", { "aria-label": "copy the decision", onchange: () => this.onChoice() },
      h("option", { value: "" }, "Copy…"), TEXTS.map(([value, title]) => h("option", { value }, title)), h("option", { value: "line" }, "The line"), h("option", { value: "png" }, "Picture (PNG)"), h("option", { value: "svg" }, "Picture (SVG)"));
    this.status = h("span.muted", { role: "status" });
    this.classList.add("row");
    this.replaceContent(this.status, this.menu);
    this.subscribe(walk, "position", () => {
      const view = walk.get("view");
      for (const option of this.menu.options) option.disabled = !view || (!view.decision && !["", "ranges", "line"].includes(option.value));
    });
  }

  async onChoice() {
    const format = this.menu.value;
    this.menu.value = "";
    const { decision } = walk.get("view");
    try {
      if (format === "svg") saveFile(gridSvg(decision), "range.svg", "image/svg+xml");
      else if (format === "png") saveFile(await toPng(gridSvg(decision)), "range.png");
      else if (await copyText(format === "line" ? walk.fullLine.join(" ") : (await api.exportText(walk.get("run"), walk.fullLine, format)).text)) flash(this.status, "copied");
    } catch (error) {
      flash(this.status, error.message);
    }
  }
}

customElements.define("copy-menu", CopyMenu);
