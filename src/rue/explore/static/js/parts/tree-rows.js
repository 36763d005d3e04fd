// The tree of a larger game, opened history by history: `element.source = (at, first) => what /api/tree answers`.

import { Part, h } from "../lib/element.js";
import { percent, short } from "../lib/format.js";
import { mixBar } from "./infoset-table.js";

class TreeRows extends Part {
  build() {
    this.list = h("ul.tree");
    this.error = h("p.bad", { role: "status" });
    this.show(this.error, this.list);
    this.list.addEventListener("pointerover", (event) => this.point(event.target.closest("[data-infoset]")));
    if (this.source_) this.begin();
  }

  set source(source) {
    this.source_ = source;
    if (this.list) this.begin();
  }

  async begin() {
    const asked = this.source_;
    const found = await this.ask([], 0);
    if (!found || asked !== this.source_) return;
    const top = this.row(found.nodes[0], null, 0);
    this.list.replaceChildren(top);
    this.fill(top, found, 0);
  }

  async ask(at, first) {
    try {
      this.error.textContent = "";
      return await this.source_(at, first);
    } catch (error) {
      this.error.textContent = error.message;
      return null;
    }
  }

  row(node, parent, place) {
    const share = parent?.strategy?.[place] ?? null;
    const opens = node.kind !== "end";
    const made = h("li", { data: { path: node.path.join("."), infoset: node.infoset || null } });
    const knob = h("button.quiet.knob", { disabled: !opens, "aria-expanded": opens ? "false" : null, "aria-label": `open ${node.move || "the start"}`, onclick: () => this.turn(made, node) }, opens ? "▸" : "·");
    const said = node.kind === "end" ? h("b", `${node.payoff > 0 ? "+" : ""}${short(node.payoff)}`) : node.kind === "chance" ? h("span.muted", `chance: ${node.actions.length} outcomes`) : h("span.infoset", h(`i.player-${node.player}`, node.player), node.infoset);
    made.append(h("div.node", knob, h("span.move", node.move || "the start"), h("span.number", percent(share)), said, node.kind === "decision" && mixBar(node), h("span.number.worth", { title: "what it is worth to player 1" }, node.value === null || node.kind === "end" ? "" : short(node.value, 3)), h("span.number.reach", { title: "how often play gets here" }, node.reach === null ? "" : percent(node.reach, 3))));
    return made;
  }

  async turn(row, node) {
    const knob = row.querySelector(".knob");
    const open = row.querySelector("ul");
    if (open) {
      open.hidden = !open.hidden;
      this.dress(knob, !open.hidden);
      return;
    }
    const found = await this.ask(node.path, 0);
    if (found) this.fill(row, found, 0);
  }

  dress(knob, open) {
    knob.textContent = open ? "▾" : "▸";
    knob.setAttribute("aria-expanded", String(open));
  }

  /** Put what follows a history below it, and a button for what is left. */
  fill(row, { nodes: [node, ...below], more }, first) {
    const list = row.querySelector("ul") ?? row.appendChild(h("ul"));
    list.append(...below.map((each, k) => this.row(each, node, first + k)));
    this.dress(row.querySelector(".knob"), true);
    if (!more) return;
    const next = first + below.length;
    const rest = h("li", h("button", { onclick: async () => {
      const found = await this.ask(node.path, next);
      if (!found) return;
      rest.remove();
      this.fill(row, found, next);
    } }, `${more.toLocaleString("en")} more`));
    list.append(rest);
  }

  /** Show all of an infoset that is open. */
  point(row) {
    for (const other of this.list.querySelectorAll(".same")) other.classList.remove("same");
    const infoset = row?.dataset.infoset;
    if (!infoset) return;
    for (const other of this.list.querySelectorAll("[data-infoset]")) if (other.dataset.infoset === infoset) other.firstElementChild.classList.add("same");
  }
}

customElements.define("tree-rows", TreeRows);
