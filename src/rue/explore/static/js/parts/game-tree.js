// The whole tree of a small game, drawn: infosets joined, lines as wide as they are taken, ends with what they pay.
// `element.nodes = nodes` as /api/tree tells them; `element.words` dims what does not have them.

import { Part, h, s } from "../lib/element.js";
import { percent, short } from "../lib/format.js";
import { svgFile } from "../lib/give.js";
import { lineStyle } from "../lib/lines.js";

const [ROW, SIDE, LEFT, TOP] = [24, 7, 18, 16];
const COLUMN = { least: 132, most: 190 };

class DrawnTree extends Part {
  #nodes = [];
  #words = [];

  build() {
    this.svg = s("svg", { role: "img", "aria-label": "the tree of the game" });
    this.about = h("div.about.muted", { role: "status" });
    this.show(h("div.scroll", this.svg), this.about);
    this.listen(globalThis, "themechange", () => this.draw());
    this.during(() => {
      const observer = new ResizeObserver(() => this.draw());
      observer.observe(this);
      return () => observer.disconnect();
    });
    for (const what of ["pointerover", "click"]) {
      this.svg.addEventListener(what, (event) => {
        const node = event.target.closest("[data-node]")?.dataset.node;
        if (node === undefined || node === this.pointed) return;
        this.pointed = node;
        this.mark_();
      });
    }
  }

  set nodes(nodes) {
    this.#nodes = nodes;
    this.draw();
  }

  set words(text) {
    this.#words = text.split(/\s+/).filter(Boolean);
    this.draw();
  }

  /** Where each node stands: a column a move, a row an end; who has moves stands in the middle of them. */
  places() {
    const depth = Math.max(...this.#nodes.map(({ path }) => path.length), 1);
    const column = Math.min(COLUMN.most, Math.max(COLUMN.least, (this.clientWidth - 90) / depth));
    const places = new Map();
    let rows = 0;
    for (const node of [...this.#nodes].reverse()) {
      const key = node.path.join(".");
      const below = node.actions.map((_, k) => places.get([...node.path, k].join("."))).filter(Boolean);
      places.set(key, { x: LEFT + node.path.length * column, y: below.length ? (below[0].y + below.at(-1).y) / 2 : rows++ });
    }
    for (const place of places.values()) place.y = TOP + (rows - 1 - place.y) * ROW;
    return { places, width: LEFT + depth * column + 70, height: 2 * TOP + (rows - 1) * ROW };
  }

  draw() {
    if (!this.svg || !this.#nodes.length || !this.clientWidth) return;
    const { places, width, height } = this.places();
    const at = ({ path }) => places.get(path.join("."));
    const parents = new Map(this.#nodes.map((node) => [node.path.join("."), node]));
    const look = getComputedStyle(this);
    const [ink, faint, panel] = ["--text", "--muted", "--panel"].map((name) => look.getPropertyValue(name));
    this.players = [lineStyle(0).colour, lineStyle(1).colour];
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) this.svg.setAttribute(name, value);
    const [edges, joints, marks] = [s("g"), s("g"), s("g")];
    for (const node of this.#nodes) {
      const here = at(node);
      const group = s("g", { "data-node": node.path.join("."), "data-infoset": node.infoset, opacity: this.fits(node) ? 1 : 0.14 });
      if (node.path.length) {
        const parent = parents.get(node.path.slice(0, -1).join("."));
        const share = parent.strategy?.[node.path.at(-1)] ?? null;
        group.append(...this.edge(at(parent), here, { move: node.move, share, colour: parent.colours[node.path.at(-1)] ?? faint, reach: node.reach, ink, panel }));
      }
      edges.append(group);
      marks.append(this.mark(node, here, { ink, faint, panel }));
    }
    this.joined().forEach(([infoset, nodes], k) => joints.append(this.joint(infoset, nodes.map(at), { colour: this.players[nodes[0].player - 1], aside: 12 + 6 * (k % 6), shown: nodes.some((node) => this.fits(node)) })));
    this.svg.replaceChildren(edges, joints, marks);
    this.mark_();
  }

  edge(from, to, { move, share, colour, reach, ink, panel }) {
    const bend = from.x + 26;
    const path = s("path", { d: `M${from.x + SIDE} ${from.y}C${bend} ${from.y} ${from.x + 12} ${to.y} ${bend + 16} ${to.y}L${to.x - SIDE} ${to.y}`, fill: "none", stroke: colour, "stroke-width": share === null ? 1.5 : 0.8 + 5 * share, opacity: reach === null ? 0.8 : 0.25 + 0.75 * Math.sqrt(Math.min(1, reach)) });
    const text = s("text", { x: from.x + 46, y: to.y - 4, "font-size": 10.5, fill: ink, stroke: panel, "stroke-width": 3, "paint-order": "stroke" }, share === null ? move : `${move} ${percent(share)}`);
    return [path, text];
  }

  mark(node, { x, y }, { ink, faint, panel }) {
    const made = s("g", { "data-node": node.path.join("."), "data-infoset": node.infoset, class: "mark", opacity: this.fits(node) ? 1 : 0.14 });
    if (node.kind === "end") {
      made.append(s("text", { x: x - 4, y: y + 4, "font-size": 11.5, "font-weight": 600, fill: ink }, `${node.payoff > 0 ? "+" : ""}${short(node.payoff)}`));
      return made;
    }
    const paint = { fill: node.kind === "chance" ? panel : this.players[node.player - 1], stroke: node.kind === "chance" ? faint : this.players[node.player - 1], "stroke-width": 1.5 };
    if (node.player === 1) made.append(s("circle", { cx: x, cy: y, r: SIDE, ...paint }));
    else if (node.player === 2) made.append(s("rect", { x: x - SIDE, y: y - SIDE, width: 2 * SIDE, height: 2 * SIDE, ...paint }));
    else made.append(s("path", { d: `M${x - SIDE} ${y}L${x} ${y - SIDE}L${x + SIDE} ${y}L${x} ${y + SIDE}Z`, ...paint }));
    return made;
  }

  /** The nodes of each infoset that has several. */
  joined() {
    const found = new Map();
    for (const node of this.#nodes) if (node.infoset) found.set(node.infoset, [...(found.get(node.infoset) ?? []), node]);
    return [...found].filter(([, nodes]) => nodes.length > 1);
  }

  joint(infoset, places, { colour, aside, shown }) {
    const sorted = [...places].sort((one, two) => one.y - two.y);
    const pieces = sorted.slice(1).map((to, k) => {
      const from = sorted[k];
      const bend = Math.min(from.x, to.x) - aside;
      return `M${from.x} ${from.y}C${bend} ${from.y + 8} ${bend} ${to.y - 8} ${to.x} ${to.y}`;
    });
    return s("path", { d: pieces.join(""), fill: "none", stroke: colour, "stroke-width": 1.3, "stroke-dasharray": "2 3", opacity: shown ? 0.75 : 0.1, "data-joint": infoset });
  }

  fits({ infoset, move, kind }) {
    const text = `${infoset} ${move} ${kind}`;
    return this.#words.every((word) => (word === word.toLowerCase() ? text.toLowerCase() : text).includes(word));
  }

  /** Tell what was pointed at, and show all of its infoset. */
  mark_() {
    for (const other of this.svg.querySelectorAll(".same")) other.classList.remove("same");
    const node = this.#nodes.find(({ path }) => path.join(".") === this.pointed);
    if (!node) return;
    if (node.infoset) {
      for (const other of this.svg.querySelectorAll("[data-infoset], [data-joint]")) {
        if ((other.dataset.infoset ?? other.dataset.joint) === node.infoset) other.classList.add("same");
      }
    }
    this.about.replaceChildren(...nodeText(node));
  }

  /** The picture as the text of an SVG file. */
  file() {
    return svgFile(this.svg);
  }
}

/** A node in words: who moves, what is known, how often play gets there, what is done, what it is worth. */
export function nodeText(node) {
  const who = node.kind === "end" ? `the end: player 1 gets ${short(node.payoff)}` : node.kind === "chance" ? "chance" : `player ${node.player}: ${node.infoset}`;
  const reach = node.reach === null ? "" : `reached ${percent(node.reach, 2)}`;
  const value = node.value === null || node.kind === "end" ? "" : `worth ${short(node.value, 4)} to player 1`;
  const doing = node.kind === "decision" && node.strategy ? node.actions.map((action, k) => `${action} ${percent(node.strategy[k], 2)}`).join(", ") : "";
  return [h("b", who), ` ${[reach, doing, value].filter(Boolean).join(" · ")}`];
}

customElements.define("game-tree", DrawnTree);
