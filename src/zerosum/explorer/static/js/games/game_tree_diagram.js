// A small game tree, drawn whole: infosets are joined, edges are as wide as their action is frequent, terminal nodes show the
// payoff. `element.nodes` takes the nodes of /api/tree; `element.filter = text` dims the nodes that do not match.

import { Component, h, svg } from "../base/element.js";
import { percent, significant } from "../base/format.js";
import { svgText } from "../base/download.js";
import { lineStyle } from "../base/line_styles.js";

/** Pixels: height of a row, half the size of a node, margins. */
const [ROW, SIDE, LEFT, TOP] = [24, 7, 18, 16];
/** Smallest and largest width of a column. */
const COLUMN = { min: 132, max: 190 };

class GameTreeDiagram extends Component {
  #nodes = [];
  #filter = [];

  build() {
    this.svg = svg("svg", { role: "img", "aria-label": "game tree" });
    this.details = h("div.details.muted", { role: "status" });
    this.replaceContent(h("div.scroll", this.svg), this.details);
    this.listen(globalThis, "themechange", () => this.draw());
    this.observeSize(this, () => this.draw());
    for (const type of ["pointerover", "click"]) {
      this.svg.addEventListener(type, (event) => {
        const node = event.target.closest("[data-node]")?.dataset.node;
        if (node === undefined || node === this.highlighted) return;
        this.highlighted = node;
        this.highlight();
      });
    }
  }

  set nodes(nodes) {
    this.#nodes = nodes;
    this.draw();
  }

  set filter(text) {
    this.#filter = text.split(/\s+/).filter(Boolean);
    this.draw();
  }

  /** Place the nodes: one column per move, one row per terminal node, other nodes halfway between their first and last child. */
  positions() {
    const depth = Math.max(...this.#nodes.map(({ path }) => path.length), 1);
    const column = Math.min(COLUMN.max, Math.max(COLUMN.min, (this.clientWidth - 90) / depth));
    const positions = new Map();
    let rows = 0;
    for (const node of [...this.#nodes].reverse()) {
      const key = node.path.join(".");
      const children = node.actions.map((_, k) => positions.get([...node.path, k].join("."))).filter(Boolean);
      positions.set(key, { x: LEFT + node.path.length * column, y: children.length ? (children[0].y + children.at(-1).y) / 2 : rows++ });
    }
    for (const position of positions.values()) position.y = TOP + (rows - 1 - position.y) * ROW;
    return { positions, width: LEFT + depth * column + 70, height: 2 * TOP + (rows - 1) * ROW };
  }

  draw() {
    if (!this.svg || !this.#nodes.length || !this.clientWidth) return;
    const { positions, width, height } = this.positions();
    const positionOf = ({ path }) => positions.get(path.join("."));
    const parents = new Map(this.#nodes.map((node) => [node.path.join("."), node]));
    const style = getComputedStyle(this);
    const [ink, faint, panel] = ["--text", "--muted", "--panel"].map((name) => style.getPropertyValue(name));
    this.players = [lineStyle(0).colour, lineStyle(1).colour];
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) this.svg.setAttribute(name, value);
    const [edges, joints, marks] = [svg("g"), svg("g"), svg("g")];
    for (const node of this.#nodes) {
      const position = positionOf(node);
      const group = svg("g", { "data-node": node.path.join("."), "data-infoset": node.infoset, opacity: this.matches(node) ? 1 : 0.14 });
      if (node.path.length) {
        const parent = parents.get(node.path.slice(0, -1).join("."));
        const share = parent.strategy?.[node.path.at(-1)] ?? null;
        group.append(...this.edge(positionOf(parent), position, { move: node.move, share, colour: parent.colours[node.path.at(-1)] ?? faint, reach: node.reach, ink, panel }));
      }
      edges.append(group);
      marks.append(this.mark(node, position, { ink, faint, panel }));
    }
    this.sharedInfosets().forEach(([infoset, nodes], k) => joints.append(this.joint(infoset, nodes.map(positionOf), { colour: this.players[nodes[0].player - 1], bulge: 12 + 6 * (k % 6), isVisible: nodes.some((node) => this.matches(node)) })));
    this.svg.replaceChildren(edges, joints, marks);
    this.highlight();
  }

  edge(from, to, { move, share, colour, reach, ink, panel }) {
    const bend = from.x + 26;
    const path = svg("path", { d: `M${from.x + SIDE} ${from.y}C${bend} ${from.y} ${from.x + 12} ${to.y} ${bend + 16} ${to.y}L${to.x - SIDE} ${to.y}`, fill: "none", stroke: colour, "stroke-width": share === null ? 1.5 : 0.8 + 5 * share, opacity: reach === null ? 0.8 : 0.25 + 0.75 * Math.sqrt(Math.min(1, reach)) });
    const text = svg("text", { x: from.x + 46, y: to.y - 4, "font-size": 10.5, fill: ink, stroke: panel, "stroke-width": 3, "paint-order": "stroke" }, share === null ? move : `${move} ${percent(share)}`);
    return [path, text];
  }

  mark(node, { x, y }, { ink, faint, panel }) {
    const group = svg("g", { "data-node": node.path.join("."), "data-infoset": node.infoset, class: "mark", opacity: this.matches(node) ? 1 : 0.14 });
    if (node.kind === "end") {
      group.append(svg("text", { x: x - 4, y: y + 4, "font-size": 11.5, "font-weight": 600, fill: ink }, `${node.payoff > 0 ? "+" : ""}${significant(node.payoff)}`));
      return group;
    }
    const paint = { fill: node.kind === "chance" ? panel : this.players[node.player - 1], stroke: node.kind === "chance" ? faint : this.players[node.player - 1], "stroke-width": 1.5 };
    if (node.player === 1) group.append(svg("circle", { cx: x, cy: y, r: SIDE, ...paint }));
    else if (node.player === 2) group.append(svg("rect", { x: x - SIDE, y: y - SIDE, width: 2 * SIDE, height: 2 * SIDE, ...paint }));
    else group.append(svg("path", { d: `M${x - SIDE} ${y}L${x} ${y - SIDE}L${x + SIDE} ${y}L${x} ${y + SIDE}Z`, ...paint }));
    return group;
  }

  /** The infosets with several nodes, each with its nodes. */
  sharedInfosets() {
    const groups = new Map();
    for (const node of this.#nodes) if (node.infoset) groups.set(node.infoset, [...(groups.get(node.infoset) ?? []), node]);
    return [...groups].filter(([, nodes]) => nodes.length > 1);
  }

  joint(infoset, positions, { colour, bulge, isVisible }) {
    const sorted = [...positions].sort((first, second) => first.y - second.y);
    const arcs = sorted.slice(1).map((to, k) => {
      const from = sorted[k];
      const bend = Math.min(from.x, to.x) - bulge;
      return `M${from.x} ${from.y}C${bend} ${from.y + 8} ${bend} ${to.y - 8} ${to.x} ${to.y}`;
    });
    return svg("path", { d: arcs.join(""), fill: "none", stroke: colour, "stroke-width": 1.3, "stroke-dasharray": "2 3", opacity: isVisible ? 0.75 : 0.1, "data-joint": infoset });
  }

  matches({ infoset, move, kind }) {
    const text = `${infoset} ${move} ${kind}`;
    return this.#filter.every((word) => (word === word.toLowerCase() ? text.toLowerCase() : text).includes(word));
  }

  /** Describe the node under the pointer and mark all nodes of its infoset. */
  highlight() {
    for (const other of this.svg.querySelectorAll(".same")) other.classList.remove("same");
    const node = this.#nodes.find(({ path }) => path.join(".") === this.highlighted);
    if (!node) return;
    if (node.infoset) {
      for (const other of this.svg.querySelectorAll("[data-infoset], [data-joint]")) {
        if ((other.dataset.infoset ?? other.dataset.joint) === node.infoset) other.classList.add("same");
      }
    }
    this.details.replaceChildren(...nodeText(node));
  }

  /** Return the diagram as the text of an SVG file. */
  svgText() {
    return svgText(this.svg);
  }
}

/** Describe a node: player and infoset, reach, strategy, value. */
export function nodeText(node) {
  const subject = node.kind === "end" ? `end of the game: player 1 gets ${significant(node.payoff)}` : node.kind === "chance" ? "chance" : `player ${node.player}: ${node.infoset}`;
  const reach = node.reach === null ? "" : `reached ${percent(node.reach, 2)}`;
  const value = node.value === null || node.kind === "end" ? "" : `worth ${significant(node.value, 4)} to player 1`;
  const strategy = node.kind === "decision" && node.strategy ? node.actions.map((action, k) => `${action} ${percent(node.strategy[k], 2)}`).join(", ") : "";
  return [h("b", subject), ` ${[reach, strategy, value].filter(Boolean).join(" · ")}`];
}

customElements.define("game-tree-diagram", GameTreeDiagram);
