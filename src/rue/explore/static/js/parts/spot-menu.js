// Spots that are loaded, saved and shared: those that come along, those of the folder, files, links.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { api } from "../lib/protocol.js";
import { address } from "../lib/router.js";
import { draft } from "../lib/draft.js";
import { copy, save } from "../lib/give.js";

class SpotMenu extends Part {
  build() {
    this.menu = h("select", { "aria-label": "load a spot", onchange: () => this.chosen() });
    this.file = h("input", { type: "file", accept: ".toml,.json,text/plain", hidden: true, onchange: () => this.read() });
    this.said = h("span.muted", { role: "status" });
    this.classList.add("row");
    this.show(
      this.said,
      this.menu,
      h("button", { onclick: () => this.save(), title: "Save it in the folder of the explorer" }, "Save…"),
      h("button", { onclick: () => this.link(), title: "A link that has the spot in it" }, "Copy link"),
      h("button", { onclick: () => this.download(), title: "A file that rue solve takes" }, "Download"),
      this.file,
    );
    this.tell(app.get("server").spots);
  }

  tell(spots) {
    const { bundled, saved } = (app.get("server").spots = spots);
    const options = (kind, names) => names.map((name) => h("option", { value: `${kind} ${name}` }, name));
    this.menu.replaceChildren(
      h("option", { value: "" }, "Load…"),
      saved.length ? h("optgroup", { label: "Saved" }, options("saved", saved)) : "",
      h("optgroup", { label: "Come along" }, options("bundled", bundled)),
      h("option", { value: "file" }, "A file…"),
      h("option", { value: "paste" }, "Paste a link or a file's text…"),
      saved.length ? h("optgroup", { label: "Forget" }, options("forget", saved)) : "",
    );
  }

  async chosen() {
    const [kind, ...rest] = this.menu.value.split(" ");
    const name = rest.join(" ");
    this.menu.value = "";
    if (kind === "file") this.file.click();
    else if (kind === "paste") {
      const text = prompt("A link with a spot, or the text of a spot's file");
      if (text) draft.load({ text });
    } else if (kind === "forget") {
      if (confirm(`Forget the spot "${name}"?`)) await this.act(async () => this.tell(await api.removeSpot(name)));
    } else if (kind) await this.act(async () => draft.load({ spot: await api.spot(kind, name) }));
  }

  async read() {
    const [file] = this.file.files;
    this.file.value = "";
    if (file) draft.load({ text: await file.text() });
  }

  save() {
    const name = prompt("The name of this spot", draft.get("spot").name ?? "");
    if (!name?.trim()) return;
    this.act(async () => {
      this.tell(await api.saveSpot(name.trim(), draft.get("spot")));
      this.say(`saved as ${name.trim()}.toml`);
    });
  }

  /** A link without the token: whoever gets it opens it in an explorer of their own. */
  async link() {
    const found = draft.get("found");
    if (!found) return;
    if (await copy(`${location.origin}/${address("build", found.link)}`)) this.say("link copied");
  }

  download() {
    const found = draft.get("found");
    if (!found) return;
    save(found.toml, `${(found.spot.name ?? "spot").replace(/[^\w .,+()-]+/g, " ").trim() || "spot"}.toml`, "application/toml");
  }

  async act(work) {
    try {
      await work();
    } catch (error) {
      draft.set({ sentence: error.message });
    }
  }

  say(text) {
    this.said.textContent = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.said.textContent = ""), 2500);
  }
}

customElements.define("spot-menu", SpotMenu);
