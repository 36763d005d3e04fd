// Menu of saved ranges: sends a `choose` event with the text of a range; `element.text` returns the text to save.

import { Component, h } from "../base/element.js";
import { Store } from "../base/store.js";
import { api } from "../base/api.js";

/** The saved ranges, shared by all menus. */
const savedRanges = new Store({ ranges: null });

class SavedRanges extends Component {
  text = () => "";

  build() {
    this.menu = h("select", { "aria-label": "saved ranges", onchange: () => this.onChoice() });
    this.replaceContent(this.menu);
    this.subscribe(savedRanges, "ranges", (ranges) => this.render(ranges ?? {}));
    if (savedRanges.get("ranges") === null) this.load();
  }

  async load() {
    savedRanges.set({ ranges: {} });
    await this.act(() => api.savedRanges());
  }

  render(ranges) {
    const names = Object.keys(ranges);
    this.menu.replaceChildren(
      h("option", { value: "" }, "Saved…"),
      h("optgroup", { label: "Ranges" }, names.map((name) => h("option", { value: `=${name}` }, name))),
      h("option", { value: "+" }, "Save as…"),
      names.length ? h("optgroup", { label: "Delete" }, names.map((name) => h("option", { value: `-${name}` }, name))) : "",
    );
  }

  onChoice() {
    const [command, name] = [this.menu.value[0], this.menu.value.slice(1)];
    this.menu.value = "";
    if (command === "=") this.dispatchEvent(new CustomEvent("choose", { detail: savedRanges.get("ranges")[name] }));
    else if (command === "+") this.save();
    else if (command === "-" && confirm(`Delete the range "${name}"?`)) this.act(() => api.deleteRange(name));
  }

  save() {
    const name = prompt("Name of this range");
    if (name?.trim()) this.act(() => api.saveRange(name.trim(), this.text()));
  }

  async act(request) {
    try {
      savedRanges.set({ ranges: await request() });
    } catch (error) {
      alert(error.message);
    }
  }
}

customElements.define("saved-ranges", SavedRanges);
