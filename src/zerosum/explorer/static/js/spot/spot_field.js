// A number or a text of the spot being built, with the label, help and default of the option that it stands for.

import { h } from "../base/element.js";
import { capitalize, parseInput } from "../base/format.js";
import { app } from "../base/store.js";
import { draft } from "./spot_draft.js";

export class SpotField {
  constructor(name) {
    const { help, default: byDefault } = app.get("server").spot_options[name];
    const title = capitalize(name.replaceAll("_", " ").replace("allin", "all-in"));
    this.name = name;
    this.input = h("input", { name, placeholder: byDefault, title: help, "aria-label": title, autocomplete: "off", spellcheck: "false", oninput: () => draft.change({ [name]: parseInput(this.input.value) }) });
    this.label = h("label", { title: help }, h("span.label", title), this.input);
  }

  fill(spot) {
    this.input.value = spot[this.name] ?? "";
  }
}
