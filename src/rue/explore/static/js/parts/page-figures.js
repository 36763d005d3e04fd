// The figures of the papers: a list, and the one that is chosen. `#/figures/dcfr-5` is the address of one.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";
import "./figure-shown.js";

const FIRST = "dcfr-5";

class Figures extends Part {
  build() {
    this.list = h("div.figures", { role: "navigation", "aria-label": "figures" });
    this.choice = h("select", { "aria-label": "figure", onchange: () => go(address("figures", this.choice.value)) });
    this.error = h("p.sentence", { role: "status" });
    this.shown = h("figure-shown.panel");
    this.show(h("aside.panel", this.choice, this.list), h("div", this.error, this.shown));
    this.watch(app, "route", (route) => route.page === "figures" && this.open(route.parts[0]));
    this.watch(app, "figure", () => this.dress());
    this.load();
  }

  async load() {
    try {
      const { papers } = await api.figures();
      const known = papers.filter(({ figures }) => figures.length);
      this.list.replaceChildren(...known.flatMap(({ key, title, figures }) => [h("h3", { title }, key), ...figures.map((figure) => h("a", { href: address("figures", figure.key), data: { key: figure.key }, title: figure.title }, h("span", figure.place === "ours" ? figure.key.split("-").slice(1).join("-") : figure.place), h("span.muted", figure.title)))]));
      this.choice.replaceChildren(...known.map(({ key, figures }) => h("optgroup", { label: key }, figures.map((figure) => h("option", { value: figure.key }, `${figure.key}: ${figure.title}`)))));
      this.dress();
    } catch (error) {
      this.error.textContent = error.message;
    }
  }

  open(key) {
    if (!key) {
      go(address("figures", app.get("figure")?.key ?? FIRST), true);
      return;
    }
    this.shown.key = key;
    this.dress();
  }

  dress() {
    const { parts: [key] } = app.get("route");
    this.choice.value = key ?? "";
    const going = app.get("figure");
    for (const link of this.list.querySelectorAll("a")) {
      if (link.dataset.key === key) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      link.classList.toggle("pulse", going?.state === "running" && going.key === link.dataset.key);
    }
  }
}

customElements.define("page-figures", Figures);
