// Load, save and share spots: bundled ones, those of the folder, files, links.

import { Component, flash, h } from "../base/element.js";
import { app } from "../base/store.js";
import { api } from "../base/api.js";
import { formatAddress } from "../base/router.js";
import { draft } from "./spot_draft.js";
import { copyText, saveFile } from "../base/download.js";

class SpotMenu extends Component {
  build() {
    this.menu = h("select", { "aria-label": "load a spot", onchange: () => this.onChoice() });
    this.file = h("input", { type: "file", accept: ".toml,.json,text/plain", hidden: true, onchange: () => this.loadFile() });
    this.status = h("span.muted", { role: "status" });
    this.classList.add("row");
    this.replaceContent(
      this.status,
      this.menu,
      h("button", { onclick: () => this.save(), title: "Save the spot in the folder of the explorer" }, "Save…"),
      h("button", { onclick: () => this.copyLink(), title: "A link that contains the spot" }, "Copy link"),
      h("button", { onclick: () => this.download(), title: "A file for zerosum solve" }, "Download"),
      this.file,
    );
    this.render(app.get("server").spots);
  }

  render(spots) {
    const { bundled, saved } = (app.get("server").spots = spots);
    const options = (kind, names) => names.map((name) => h("option", { value: `${kind} ${name}` }, name));
    this.menu.replaceChildren(
      h("option", { value: "" }, "Load…"),
      saved.length ? h("optgroup", { label: "Saved" }, options("saved", saved)) : "",
      h("optgroup", { label: "Bundled" }, options("bundled", bundled)),
      h("option", { value: "file" }, "A file…"),
      h("option", { value: "paste" }, "Paste a link or the text of a file…"),
      saved.length ? h("optgroup", { label: "Delete" }, options("delete", saved)) : "",
    );
  }

  async onChoice() {
    const [kind, ...rest] = this.menu.value.split(" ");
    const name = rest.join(" ");
    this.menu.value = "";
    if (kind === "file") this.file.click();
    else if (kind === "paste") {
      const text = prompt("A link to a spot, or the text of a spot file");
      if (text) draft.load({ text });
    } else if (kind === "delete") {
      if (confirm(`Delete the spot "${name}"?`)) await this.act(async () => this.render(await api.deleteSpot(name)));
    } else if (kind) await this.act(async () => draft.load({ spot: await api.spot(kind, name) }));
  }

  async loadFile() {
    const [file] = this.file.files;
    this.file.value = "";
    if (file) draft.load({ text: await file.text() });
  }

  save() {
    const name = prompt("Name of this spot", draft.get("spot").name ?? "");
    if (!name?.trim()) return;
    this.act(async () => {
      this.render(await api.saveSpot(name.trim(), draft.get("spot")));
      flash(this.status, `saved as ${name.trim()}.toml`);
    });
  }

  /** Copy a link to the spot. It has no token, so it can be shared: the recipient's own explorer opens it. */
  async copyLink() {
    const check = draft.get("check");
    if (!check) return;
    if (await copyText(`${location.origin}/${formatAddress("build", check.link)}`)) flash(this.status, "link copied");
  }

  download() {
    const check = draft.get("check");
    if (!check) return;
    saveFile(check.toml, `${(check.spot.name ?? "spot").replace(/[^\w .,+()-]+/g, " ").trim() || "spot"}.toml`, "application/toml");
  }

  async act(work) {
    try {
      await work();
    } catch (error) {
      draft.set({ message: error.message });
    }
  }
}

customElements.define("spot-menu", SpotMenu);
