// Saved and named ranges: a `choose` event has the text of the one that was chosen. `element.text` gives what to save.

import { Part, h } from "../lib/element.js";
import { Store } from "../lib/store.js";
import { api } from "../lib/protocol.js";

/** The saved ranges, shared by all shelves. */
const shelf = new Store({ ranges: null });

class RangeShelf extends Part {
  text = () => "";

  build() {
    this.menu = h("select", { "aria-label": "saved ranges", onchange: () => this.chosen() });
    this.show(this.menu);
    this.watch(shelf, "ranges", (ranges) => this.tell(ranges ?? {}));
    if (shelf.get("ranges") === null) this.load();
  }

  async load() {
    shelf.set({ ranges: {} });
    await this.act(() => api.ranges());
  }

  tell(ranges) {
    const names = Object.keys(ranges);
    this.menu.replaceChildren(
      h("option", { value: "" }, "Saved…"),
      h("optgroup", { label: "Ranges" }, names.map((name) => h("option", { value: `=${name}` }, name))),
      h("option", { value: "+" }, "Save as…"),
      names.length ? h("optgroup", { label: "Forget" }, names.map((name) => h("option", { value: `-${name}` }, name))) : "",
    );
  }

  chosen() {
    const [what, name] = [this.menu.value[0], this.menu.value.slice(1)];
    this.menu.value = "";
    if (what === "=") this.dispatchEvent(new CustomEvent("choose", { detail: shelf.get("ranges")[name] }));
    else if (what === "+") this.save();
    else if (what === "-" && confirm(`Forget the range "${name}"?`)) this.act(() => api.removeRange(name));
  }

  save() {
    const name = prompt("The name of this range");
    if (name?.trim()) this.act(() => api.saveRange(name.trim(), this.text()));
  }

  async act(asked) {
    try {
      shelf.set({ ranges: await asked() });
    } catch (error) {
      alert(error.message);
    }
  }
}

customElements.define("range-shelf", RangeShelf);
