// Panels of which one is shown: `element.tabs = [{name, title, element}]`. A panel is made when it is first chosen, and
// taken out when another one is, so that it follows nothing. The attribute `keep` names where the choice is kept.

import { Part, h } from "../lib/element.js";

class TabPanel extends Part {
  build() {
    this.bar = h("div.tabs", { role: "tablist" });
    this.room = h("div.room");
    this.made = new Map();
    this.show(this.bar, this.room);
    if (this.tabs_) this.dress();
  }

  set tabs(tabs) {
    this.tabs_ = tabs;
    if (this.bar) this.dress();
  }

  dress() {
    this.bar.replaceChildren(...this.tabs_.map(({ name, title }) => h("button.quiet", { role: "tab", data: { tab: name }, onclick: () => this.choose(name) }, title)));
    const kept = sessionStorage.getItem(this.getAttribute("keep"));
    this.choose(this.tabs_.some((tab) => tab.name === kept) ? kept : this.tabs_[0].name);
  }

  choose(name) {
    sessionStorage.setItem(this.getAttribute("keep"), name);
    for (const tab of this.bar.children) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    if (!this.made.has(name)) this.made.set(name, h(this.tabs_.find((tab) => tab.name === name).element));
    this.room.replaceChildren(this.made.get(name));
  }
}

customElements.define("tab-panel", TabPanel);
