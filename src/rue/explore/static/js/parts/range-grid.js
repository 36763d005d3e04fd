// The range of a decision: 13 by 13 classes, each cell split by action in proportion, paler where less of it is left.

import { Part, h } from "../lib/element.js";
import { className, split } from "../lib/cells.js";
import { action, percent } from "../lib/format.js";
import { walk } from "../lib/walk.js";

const PALEST = 0.25;

class RangeGrid extends Part {
  build() {
    this.cells = Array.from({ length: 169 }, (_, cell) => h("div.cell", { data: { cell } }, h("i"), h("b", className(cell)), h("span")));
    const grid = h("div.cells", { role: "img", "aria-label": "the range by class of hands" }, this.cells);
    grid.addEventListener("pointerover", (event) => {
      const cell = event.target.closest(".cell");
      walk.set({ cell: cell ? Number(cell.dataset.cell) : null });
    });
    grid.addEventListener("pointerleave", () => walk.set({ cell: null }));
    grid.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (!cell) return;
      const chosen = Number(cell.dataset.cell);
      walk.set({ held: walk.get("held") === chosen ? null : chosen });
    });
    this.show(grid);
    this.watch(walk, "view", (view) => view?.decision && this.tell(view.decision));
    this.watch(walk, "held", (held) => this.cells.forEach((cell, k) => cell.classList.toggle("chosen", k === held)));
  }

  tell({ classes, choices }) {
    const colours = choices.map((choice) => choice.colour);
    const places = new Map(classes.cell.map((cell, k) => [cell, k]));
    this.cells.forEach((cell, place) => {
      const k = places.get(place);
      const [paint] = cell.children;
      cell.classList.toggle("there", k !== undefined);
      if (k === undefined) {
        paint.style.background = "none";
        cell.removeAttribute("title");
        return;
      }
      const shares = classes.strategy.map((column) => column[k]);
      paint.style.background = split(shares, colours);
      paint.style.opacity = (PALEST + (1 - PALEST) * Math.sqrt(classes.share[k])).toFixed(3);
      cell.title = `${classes.name[k]}: ${choices.map(({ name }, a) => `${action(name)} ${percent(shares[a], 0)}`).join(", ")}`;
    });
  }
}

customElements.define("range-grid", RangeGrid);
