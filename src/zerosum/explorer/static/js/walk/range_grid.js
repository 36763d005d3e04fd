// The range of a decision as 13 by 13 classes: split by action in proportion, paler where less of the class is left, or coloured by
// EV or equity.

import { Component, h, setText } from "../base/element.js";
import { className, splitBackground } from "../components/hand_cells.js";
import { colourRange, needsLightText, scaleColour } from "../components/cell_colours.js";
import { compact, percent } from "../base/format.js";
import { walk } from "./walk_state.js";
import "./combo_popup.js";

/** Opacity of a class of which almost nothing is left. */
const PALEST = 0.25;

class RangeGrid extends Component {
  build() {
    this.cells = Array.from({ length: 169 }, (_, cell) => h("div.cell", { data: { cell }, props: { index: cell } }, h("b", className(cell)), h("span")));
    const grid = h("div.cells", { role: "grid", "aria-label": "the range by class of hands" }, this.cells);
    const cellOf = (event) => {
      const cell = event.target.closest(".cell");
      return cell ? cell.index : null;
    };
    grid.addEventListener("pointerover", (event) => event.pointerType !== "touch" && walk.set({ hoveredClass: cellOf(event) }));
    grid.addEventListener("pointerleave", () => walk.set({ hoveredClass: null }));
    grid.addEventListener("click", (event) => {
      const cell = cellOf(event);
      if (cell !== null) walk.set({ pinnedClass: walk.get("pinnedClass") === cell ? null : cell });
    });
    this.popup = h("combo-popup", { hidden: true });
    this.replaceContent(grid, this.popup);
    this.subscribe(walk, "view", (view) => view?.decision && this.render(view.decision));
    this.subscribe(walk, "view", () => walk.get("hoveredClass") !== null && this.showPopup());
    this.subscribe(walk, "mode", () => walk.get("view")?.decision && this.render(walk.get("view").decision));
    this.subscribe(walk, "pinnedClass", (pinned) => this.cells.forEach((cell, k) => cell.classList.toggle("chosen", k === pinned)));
    this.subscribe(walk, "hoveredClass", () => this.showPopup());
    this.listen(window, "themechange", () => walk.get("view")?.decision && this.render(walk.get("view").decision));
  }

  render(decision) {
    const { actions, groups: { class: classes } } = decision;
    const mode = decision.has_ev ? walk.get("mode") : "strategy";
    const indices = new Map(classes.group.map((cell, k) => [cell, k]));
    const dark = document.documentElement.dataset.theme === "dark";
    const colours = actions.map(({ colour }) => colour);
    const numbers = mode === "strategy" ? null : classes[mode];
    const [low, high] = mode === "ev" ? colourRange(numbers) : [0, 1];
    this.cells.forEach((cell, index) => {
      const k = indices.get(index);
      if (k === undefined || (numbers !== null && numbers[k] === null)) return this.paint(cell, "cell", "none", "");
      const strength = PALEST + (1 - PALEST) * Math.sqrt(classes.start_share[k]);
      if (numbers === null) {
        const shares = classes.frequency.map((shares) => shares[k]);
        const light = needsLightText(shares, colours, strength, dark);
        return this.paint(cell, light ? "cell in-range light" : "cell in-range", splitBackground(shares, colours, strength), "");
      }
      const background = splitBackground([1], [scaleColour(high > low ? (numbers[k] - low) / (high - low) : 0.5)], strength);
      const text = mode === "ev" ? compact(numbers[k]) : percent(numbers[k], 0).replace("%", "");
      this.paint(cell, dark && strength < 0.6 ? "cell in-range light" : "cell in-range", background, text);
    });
  }

  /** Show the combos of the class under the pointer. */
  showPopup() {
    const cell = walk.get("hoveredClass");
    this.popup.render(cell, cell === null ? null : this.cells[cell]);
  }

  /** Set classes, background and text of a cell, unless they are set already. */
  paint(cell, kind, background, text) {
    const look = `${kind} ${background}`;
    if (cell.look !== look) {
      cell.look = look;
      cell.className = cell.index === walk.get("pinnedClass") ? `${kind} chosen` : kind;
      cell.style.backgroundImage = background;
    }
    setText(cell.lastChild, text);
  }
}

customElements.define("range-grid", RangeGrid);
