// Games: several algorithms on one, side by side, and its tree. `#/games/leduc(suits=3)` is the address of a game,
// `#/games/kuhn/tree/3` that of its tree with the strategy of run 3.

import { Part, h } from "../lib/element.js";
import { app } from "../lib/store.js";
import { contest } from "../lib/contest.js";
import { address, go } from "../lib/router.js";
import "./game-chooser.js";
import "./game-curves.js";
import "./game-trees.js";

const FIRST = "leduc";

/** What is shown of a game: the part of the address after its name, a title, an element. */
const VIEWS = [
  { name: "", title: "Curves", element: "game-curves" },
  { name: "tree", title: "Tree", element: "game-trees" },
];

class Games extends Part {
  build() {
    this.tabs = h("div.tabs", { role: "tablist" });
    this.room = h("div.room");
    this.show(h("aside", h("game-chooser.panel")), h("section.panel", this.tabs, this.room));
    this.watch(app, "route", (route) => route.page === "games" && this.open(route.parts));
    contest.open();
  }

  open([text, view = ""]) {
    if (!text) {
      go(address("games", contest.get("text") || FIRST), true);
      return;
    }
    if (text !== contest.get("text")) contest.change({ text, found: null, sentence: "" });
    const chosen = VIEWS.find((each) => each.name === view) ?? VIEWS[0];
    this.tabs.replaceChildren(...VIEWS.map(({ name, title }) => h("button.quiet", { role: "tab", data: { tab: name || "curves" }, "aria-selected": String(name === chosen.name), onclick: () => go(address("games", contest.get("text"), ...(name ? [name] : []))) }, title)));
    if (this.room.firstElementChild?.localName !== chosen.element) this.room.replaceChildren(h(chosen.element));
  }
}

customElements.define("page-games", Games);
