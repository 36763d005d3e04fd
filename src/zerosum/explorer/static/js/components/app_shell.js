// The frame: navigation, the run that is being solved, the current page.

import { Component, h, setText } from "../base/element.js";
import { app } from "../base/store.js";
import { formatAddress, runAddress } from "../base/router.js";
import { exploitabilityText } from "../base/format.js";
import { PAGES } from "../base/pages.js";

const THEME = "zerosum.theme";

class AppShell extends Component {
  build() {
    this.nav = h("nav", { "aria-label": "pages" });
    for (const page of PAGES.filter(({ title }) => title)) {
      this.nav.append(h("a", { href: formatAddress(page.name), data: { page: page.name } }, page.title));
    }
    this.statusIcon = h("i.state");
    this.runName = h("span");
    this.statusText = h("div");
    this.working = h("a.working", { hidden: true }, this.statusIcon, this.runName, this.statusText);
    this.connectionLost = h("div.connection-lost", { role: "status", hidden: true }, "The server does not answer. Start zerosum explore again and open the address it prints.");
    this.main = h("main", { id: "main" });
    const theme = h("button.quiet", { title: "Light or dark", "aria-label": "light or dark", onclick: () => this.toggleTheme() }, "◐");
    this.replaceContent(
      h("header", h("a.brand", { href: formatAddress("home") }, "zerosum"), this.nav, h("span.grow"), this.working, theme),
      this.main,
      this.connectionLost,
    );
    this.applyTheme(localStorage.getItem(THEME));
    this.subscribe(app, "server", (server) => server && this.showPage());
    this.subscribe(app, "route", () => this.showPage());
    this.subscribe(app, "runs", (runs) => this.render(runs));
    this.subscribe(app, "live", (live) => {
      if (live) this.wasConnected = true;
      this.connectionLost.hidden = live || !this.wasConnected;
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme(localStorage.getItem(THEME)));
  }

  applyTheme(theme) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = theme ?? (dark ? "dark" : "light");
    dispatchEvent(new Event("themechange"));
  }

  toggleTheme() {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem(THEME, theme);
    this.applyTheme(theme);
  }

  /** Show the page that the address names; the current page handles the rest of the address itself. */
  showPage() {
    const server = app.get("server");
    if (!server) return;
    if (server.error) {
      this.main.replaceChildren(h("p.message", server.error));
      return;
    }
    const { page: name } = app.get("route");
    const page = PAGES.find((entry) => entry.name === name) ?? PAGES[0];
    for (const link of this.nav.children) {
      if (link.dataset.page === page.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (this.main.firstElementChild?.localName === page.element) return;
    this.main.replaceChildren(h(page.element));
    page.load().catch(() => (this.connectionLost.hidden = false));
  }

  render(runs) {
    const run = runs.find(({ state }) => state === "running" || state === "preparing");
    const waiting = runs.filter(({ state }) => state === "queued").length;
    this.working.hidden = !run;
    if (!run) return;
    this.working.href = runAddress(run);
    const queue = waiting ? ` · ${waiting} queued` : "";
    const progress = run.exploitability === null ? run.state : exploitabilityText(run);
    this.statusIcon.dataset.state = run.state;
    setText(this.runName, `${run.name} · `);
    setText(this.statusText, `${progress}${queue}`);
  }
}

customElements.define("app-shell", AppShell);
