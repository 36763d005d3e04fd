// Tabs that show one panel at a time: `element.data = [{ name, title, element }]`. A panel is created when its tab is first chosen
// and removed when another one is, so that hidden panels send no requests. The attribute `keep` is the storage key of the choice.

import { Component, h } from "../base/element.js";

class TabPanel extends Component {
  build() {
    this.bar = h("div.tabs", { role: "tablist" });
    this.content = h("div.content");
    this.panels = new Map();
    this.replaceContent(this.bar, this.content);
  }

  render(tabs) {
    this.bar.replaceChildren(...tabs.map(({ name, title }) => h("button.quiet", { role: "tab", data: { tab: name }, onclick: () => this.choose(name) }, title)));
    const saved = sessionStorage.getItem(this.getAttribute("keep"));
    this.choose(tabs.some((tab) => tab.name === saved) ? saved : tabs[0].name);
  }

  choose(name) {
    sessionStorage.setItem(this.getAttribute("keep"), name);
    for (const tab of this.bar.children) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    if (!this.panels.has(name)) this.panels.set(name, h(this.data.find((tab) => tab.name === name).element));
    this.content.replaceChildren(this.panels.get(name));
  }
}

customElements.define("tab-panel", TabPanel);
