// The range of a decision: 13 by 13 classes. By strategy each cell is split by action in proportion, paler where less of
// it is left; EV and equity are numbers on a scale of colours.

import { Part, h, say } from "../lib/element.js";
import { className, split } from "../lib/cells.js";
import { ends, lightText, scaled } from "../lib/colour.js";
import { brief, percent } from "../lib/format.js";
import { walk } from "../lib/walk.js";
import "./combo-pop.js";

const PALEST = 0.25;

class RangeGrid extends Part {
  build() {
    this.cells = Array.from({ length: 169 }, (_, cell) => h("div.cell", { data: { cell }, props: { place: cell } }, h("b", className(cell)), h("span")));
    const grid = h("div.cells", { role: "grid", "aria-label": "the range by class of hands" }, this.cells);
    const place = (event) => {
      const cell = event.target.closest(".cell");
      return cell ? cell.place : null;
    };
    grid.addEventListener("pointerover", (event) => event.pointerType !== "touch" && walk.set({ cell: place(event) }));
    grid.addEventListener("pointerleave", () => walk.set({ cell: null }));
    grid.addEventListener("click", (event) => {
      const cell = place(event);
      if (cell !== null) walk.set({ held: walk.get("held") === cell ? null : cell });
    });
    this.pop = h("combo-pop", { hidden: true });
    this.show(grid, this.pop);
    this.watch(walk, "view", (view) => view?.decision && this.tell(view.decision));
    this.watch(walk, "view", () => walk.get("cell") !== null && this.point());
    this.watch(walk, "mode", () => walk.get("view")?.decision && this.tell(walk.get("view").decision));
    this.watch(walk, "held", (held) => this.cells.forEach((cell, k) => cell.classList.toggle("chosen", k === held)));
    this.watch(walk, "cell", () => this.point());
    this.listen(window, "themechange", () => walk.get("view")?.decision && this.tell(walk.get("view").decision));
  }

  tell(decision) {
    const { classes, choices } = decision;
    const mode = decision.judged ? walk.get("mode") : "strategy";
    const places = new Map(classes.cell.map((cell, k) => [cell, k]));
    const dark = document.documentElement.dataset.theme === "dark";
    const colours = choices.map((choice) => choice.colour);
    const numbers = mode === "ev" ? classes.ev : mode === "equity" ? equities(decision) : null;
    const [low, high] = mode === "ev" ? ends(numbers) : [0, 1];
    this.cells.forEach((cell, place) => {
      const k = places.get(place);
      if (k === undefined || (numbers !== null && numbers[k] === null)) return this.paint(cell, "cell", "none", "");
      const strength = PALEST + (1 - PALEST) * Math.sqrt(classes.share[k]);
      if (numbers === null) {
        const shares = classes.strategy.map((column) => column[k]);
        const light = lightText(shares, colours, strength, dark);
        return this.paint(cell, light ? "cell there light" : "cell there", split(shares, colours, strength), "");
      }
      const ground = split([1], [scaled(high > low ? (numbers[k] - low) / (high - low) : 0.5)], strength);
      const text = mode === "ev" ? brief(numbers[k]) : percent(numbers[k], 0).replace("%", "");
      this.paint(cell, dark && strength < 0.6 ? "cell there light" : "cell there", ground, text);
    });
  }

  /** Tell the combos of the class under the pointer. */
  point() {
    const cell = walk.get("cell");
    this.pop.tell(cell, cell === null ? null : this.cells[cell]);
  }

  /** A cell as it is to look; one that looks so already is left alone. */
  paint(cell, kind, ground, text) {
    const look = `${kind} ${ground}`;
    if (cell.look !== look) {
      cell.look = look;
      cell.className = cell.place === walk.get("held") ? `${kind} chosen` : kind;
      cell.style.backgroundImage = ground;
    }
    say(cell.lastChild, text);
  }
}

/** The equity of each class: the mean of its hands, by how much of each is left. */
function equities({ hands, classes }) {
  const sums = new Map(classes.cell.map((cell) => [cell, [0, 0]]));
  hands.cell.forEach((cell, k) => {
    if (hands.equity[k] === null) return;
    const sum = sums.get(cell);
    sum[0] += hands.reach[k] * hands.equity[k];
    sum[1] += hands.reach[k];
  });
  return classes.cell.map((cell) => (sums.get(cell)[1] > 0 ? sums.get(cell)[0] / sums.get(cell)[1] : null));
}

customElements.define("range-grid", RangeGrid);
