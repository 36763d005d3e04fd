// A large game tree, opened history by history: `element.data = (path, first) => answer of /api/tree`.

import { Component, h } from "../base/element.js";
import { percent, significant } from "../base/format.js";
import { labelledMixBar } from "../components/mix_bar.js";

class GameTreeList extends Component {
  build() {
    this.list = h("ul.tree");
    this.message = h("p.bad", { role: "status" });
    this.replaceContent(this.message, this.list);
    this.list.addEventListener("pointerover", (event) => this.highlight(event.target.closest("[data-infoset]")));
  }

  async render(source) {
    const branch = await this.fetchBranch([], 0);
    if (!branch || source !== this.data) return;
    const root = this.row(branch.nodes[0], null, 0);
    this.list.replaceChildren(root);
    this.fill(root, branch, 0);
  }

  fetchBranch(path, first) {
    return this.attempt(() => this.data(path, first));
  }

  row(node, parent, index) {
    const share = parent?.strategy?.[index] ?? null;
    const canOpen = node.kind !== "end";
    const item = h("li", { data: { path: node.path.join("."), infoset: node.infoset || null } });
    const toggle = h("button.quiet.toggle", { disabled: !canOpen, "aria-expanded": canOpen ? "false" : null, "aria-label": `open ${node.move || "the start"}`, onclick: () => this.toggle(item, node) }, canOpen ? "▸" : "·");
    const description = node.kind === "end" ? h("b", `${node.payoff > 0 ? "+" : ""}${significant(node.payoff)}`) : node.kind === "chance" ? h("span.muted", `chance: ${node.actions.length} outcomes`) : h("span.infoset", h(`i.player-${node.player}`, node.player), node.infoset);
    item.append(h("div.node", toggle, h("span.move", node.move || "the start"), h("span.number", percent(share)), description, node.kind === "decision" && labelledMixBar(node), h("span.number.value", { title: "value for player 1" }, node.value === null || node.kind === "end" ? "" : significant(node.value, 3)), h("span.number.reach", { title: "probability of getting here" }, node.reach === null ? "" : percent(node.reach, 3))));
    return item;
  }

  async toggle(row, node) {
    const toggle = row.querySelector(".toggle");
    const children = row.querySelector("ul");
    if (children) {
      children.hidden = !children.hidden;
      this.setExpanded(toggle, !children.hidden);
      return;
    }
    const branch = await this.fetchBranch(node.path, 0);
    if (branch) this.fill(row, branch, 0);
  }

  setExpanded(toggle, open) {
    toggle.textContent = open ? "▾" : "▸";
    toggle.setAttribute("aria-expanded", String(open));
  }

  /** Add the children of a history below it, with a button for those that were not loaded yet. */
  fill(row, { nodes: [node, ...children], more }, first) {
    const list = row.querySelector("ul") ?? row.appendChild(h("ul"));
    list.append(...children.map((child, k) => this.row(child, node, first + k)));
    this.setExpanded(row.querySelector(".toggle"), true);
    if (!more) return;
    const next = first + children.length;
    const rest = h("li", h("button", { onclick: async () => {
      const branch = await this.fetchBranch(node.path, next);
      if (!branch) return;
      rest.remove();
      this.fill(row, branch, next);
    } }, `${more.toLocaleString("en")} more`));
    list.append(rest);
  }

  /** Mark all open histories of the infoset under the pointer. */
  highlight(row) {
    for (const other of this.list.querySelectorAll(".same")) other.classList.remove("same");
    const infoset = row?.dataset.infoset;
    if (!infoset) return;
    for (const other of this.list.querySelectorAll("[data-infoset]")) if (other.dataset.infoset === infoset) other.firstElementChild.classList.add("same");
  }
}

customElements.define("game-tree-list", GameTreeList);
