// A number or a text of the spot being built, with the title, help and default of its option.

import { h } from "../base/element.js";
import { parseInput } from "../base/format.js";
import { app } from "../base/store.js";
import { draft } from "./spot_draft.js";

export class SpotField {
  constructor(name) {
    const { title, help, default: byDefault } = app.get("server").spot_options[name];
    this.name = name;
    this.input = h("input", { name, placeholder: byDefault, title: help, "aria-label": title, autocomplete: "off", spellcheck: "false", oninput: () => draft.change({ [name]: parseInput(this.input.value) }) });
    this.label = h("label", { title: help }, h("span.label", title), this.input);
  }

  fill(spot) {
    this.input.value = spot[this.name] ?? "";
  }
}
