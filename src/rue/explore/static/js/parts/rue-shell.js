// The frame of the page: where one can go, what is being solved, and the page that the address names.

import { Part, h, say } from "../lib/element.js";
import { app } from "../lib/store.js";
import { address, runAddress } from "../lib/router.js";
import { exploited } from "../lib/format.js";
import { PAGES } from "./pages.js";

const THEME = "rue.theme";

class Shell extends Part {
  build() {
    this.nav = h("nav", { "aria-label": "pages" });
    for (const page of PAGES.filter((each) => each.title)) {
      this.nav.append(h("a", { href: address(page.name), data: { page: page.name } }, page.title));
    }
    this.mark = h("i.state");
    this.solved = h("span");
    this.told = h("div");
    this.working = h("a.working", { hidden: true }, this.mark, this.solved, this.told);
    this.lost = h("div.lost", { role: "status", hidden: true }, "The server does not answer. Start rue explore again, and open the address that it prints.");
    this.main = h("main", { id: "main" });
    const theme = h("button.quiet", { title: "Light or dark", "aria-label": "light or dark", onclick: () => this.turn() }, "◐");
    this.show(
      h("header", h("a.brand", { href: address("home") }, "rue"), this.nav, h("span.grow"), this.working, theme),
      this.main,
      this.lost,
    );
    this.dress(localStorage.getItem(THEME));
    this.watch(app, "server", (server) => server && this.open());
    this.watch(app, "route", () => this.open());
    this.watch(app, "runs", (runs) => this.tell(runs));
    this.watch(app, "live", (live) => {
      if (live) this.seen = true;
      this.lost.hidden = live || !this.seen;
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.dress(localStorage.getItem(THEME)));
  }

  dress(theme) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = theme ?? (dark ? "dark" : "light");
    dispatchEvent(new Event("themechange"));
  }

  turn() {
    const now = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem(THEME, now);
    this.dress(now);
  }

  /** Show the page of the address; a page that is shown already follows the address by itself. */
  open() {
    const server = app.get("server");
    if (!server) return;
    if (server.error) {
      this.main.replaceChildren(h("p.sentence", server.error));
      return;
    }
    const { page } = app.get("route");
    const found = PAGES.find((each) => each.name === page) ?? PAGES[0];
    for (const link of this.nav.children) {
      if (link.dataset.page === found.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (this.main.firstElementChild?.localName === found.element) return;
    this.main.replaceChildren(h(found.element));
    found.load().catch(() => (this.lost.hidden = false));
  }

  tell(runs) {
    const run = runs.find((each) => each.state === "running" || each.state === "preparing");
    const waiting = runs.filter((each) => each.state === "queued").length;
    this.working.hidden = !run;
    if (!run) return;
    this.working.href = runAddress(run);
    const more = waiting ? ` · ${waiting} waiting` : "";
    const reached = run.exploitability === null ? run.state : exploited(run);
    this.mark.dataset.state = run.state;
    say(this.solved, `${run.name} · `);
    say(this.told, `${reached}${more}`);
  }
}

customElements.define("rue-shell", Shell);
