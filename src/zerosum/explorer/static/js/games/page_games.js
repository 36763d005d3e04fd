// The page Games: several algorithms on one game, and its tree. `#/games/leduc(suits=3)` is the address of a game,
// `#/games/kuhn/tree/3` that of its tree with the strategy of run 3.

import { Component, h } from "../base/element.js";
import { app } from "../base/store.js";
import { gameState } from "./game_state.js";
import { formatAddress, navigate } from "../base/router.js";
import "./game_form.js";
import "./game_curves.js";
import "./game_tree_view.js";

const DEFAULT_GAME = "leduc";

/** The views of a game: the part of the address after its name, a title, an element. */
const VIEWS = [
  { name: "", title: "Curves", element: "game-curves" },
  { name: "tree", title: "Tree", element: "game-tree-view" },
];

class PageGames extends Component {
  build() {
    this.tabs = h("div.tabs", { role: "tablist" });
    this.content = h("div.content");
    this.replaceContent(h("aside", h("game-form.panel")), h("section.panel", this.tabs, this.content));
    this.subscribe(app, "route", (route) => route.page === "games" && this.open(route.parts));
    gameState.open();
  }

  open([text, view = ""]) {
    if (!text) {
      navigate(formatAddress("games", gameState.get("text") || DEFAULT_GAME), true);
      return;
    }
    if (text !== gameState.get("text")) gameState.change({ text, estimate: null, message: "" });
    const chosen = VIEWS.find((entry) => entry.name === view) ?? VIEWS[0];
    this.tabs.replaceChildren(...VIEWS.map(({ name, title }) => h("button.quiet", { role: "tab", data: { tab: name || "curves" }, "aria-selected": String(name === chosen.name), onclick: () => navigate(formatAddress("games", gameState.get("text"), ...(name ? [name] : []))) }, title)));
    if (this.content.firstElementChild?.localName !== chosen.element) this.content.replaceChildren(h(chosen.element));
  }
}

customElements.define("page-games", PageGames);
