// The page Figures: the list of figures and the chosen one. `#/figures/dcfr-5` is the address of a figure.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";
import "./figure_view.js";

const DEFAULT_FIGURE = "dcfr-5";

class PageFigures extends Component {
  build() {
    this.list = h("div.figures", { role: "navigation", "aria-label": "figures" });
    this.choice = h("select", { "aria-label": "figure", onchange: () => navigate(formatAddress("figures", this.choice.value)) });
    this.message = h("p.message", { role: "status" });
    this.view = h("figure-view.panel");
    this.replaceContent(h("aside.panel", this.choice, this.list), h("div", this.message, this.view));
    this.subscribe(app, "route", (route) => route.page === "figures" && this.open(route.parts[0]));
    this.subscribe(app, "figure", () => this.markCurrent());
    this.load();
  }

  async load() {
    await this.attempt(async () => {
      const { papers } = await api.figures();
      const nonEmpty = papers.filter(({ figures }) => figures.length);
      this.list.replaceChildren(...nonEmpty.flatMap(({ key, title, figures }) => [h("h3", { title }, key), ...figures.map((figure) => h("a", { href: formatAddress("figures", figure.key), data: { key: figure.key }, title: figure.title }, h("span", figure.place === "ours" ? figure.key.split("-").slice(1).join("-") : figure.place), h("span.muted", figure.title)))]));
      this.choice.replaceChildren(...nonEmpty.map(({ key, figures }) => h("optgroup", { label: key }, figures.map((figure) => h("option", { value: figure.key }, `${figure.key}: ${figure.title}`)))));
      this.markCurrent();
    });
  }

  open(key) {
    if (!key) {
      navigate(formatAddress("figures", app.get("figure")?.key ?? DEFAULT_FIGURE), true);
      return;
    }
    this.view.key = key;
    this.markCurrent();
  }

  markCurrent() {
    const { parts: [key] } = app.get("route");
    this.choice.value = key ?? "";
    const task = app.get("figure");
    for (const link of this.list.querySelectorAll("a")) {
      if (link.dataset.key === key) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      link.classList.toggle("pulse", task?.state === "running" && task.key === link.dataset.key);
    }
  }
}

customElements.define("page-figures", PageFigures);
