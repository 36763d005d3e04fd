// Choose a game with its parameters, the algorithms and when they end; what it takes, and the button that starts them.

import { Part, h } from "../lib/element.js";
import { bytes, duration, typed } from "../lib/format.js";
import { contest } from "../lib/contest.js";
import { api } from "../lib/protocol.js";
import { address, go } from "../lib/router.js";

class GameChooser extends Part {
  build() {
    this.names = h("select", { "aria-label": "a game of the catalogue", onchange: () => this.pick(this.names.value) });
    this.text = h("input", { name: "game", "aria-label": "game", autocomplete: "off", spellcheck: "false", list: "openspiel-games", oninput: () => this.pick(this.text.value, true) });
    this.listed = h("datalist", { id: "openspiel-games" });
    this.about = h("p.muted");
    this.parameters = h("div.fields");
    this.chips = h("div.chips");
    this.added = h("input", { name: "algorithm", placeholder: "dcfr(1.5, 0, 2), mccfr, lp, …", "aria-label": "add an algorithm", autocomplete: "off", spellcheck: "false", list: "algorithms", onkeydown: (event) => event.key === "Enter" && this.add() });
    this.known = h("datalist", { id: "algorithms" });
    this.iterations = h("input", { name: "iterations", value: contest.get("ends").iterations ?? "", inputmode: "numeric", "aria-label": "iterations", oninput: () => this.end() });
    this.seconds = h("input", { name: "seconds", placeholder: "any", inputmode: "decimal", "aria-label": "seconds", oninput: () => this.end() });
    this.facts = h("dl.facts");
    this.sentence = h("p.sentence", { role: "status" });
    this.command = h("pre");
    this.instead = h("div.instead", { hidden: true }, h("p.muted", "Curves need every history. Sampled by its rules alone, the game has a strategy and no curve:"), this.command);
    this.run_ = h("button.primary", { onclick: () => contest.start() }, "Run");
    this.show(
      h("h2", "Game"), this.names, this.text, this.listed, this.about, this.parameters,
      h("h2", "Algorithms"), this.chips, h("div.row", h("div.grow", this.added), h("button", { onclick: () => this.add() }, "Add")), this.known,
      h("div.fields", h("label", h("span.label", "Iterations"), this.iterations), h("label", h("span.label", "Seconds each"), this.seconds)),
      this.facts, this.sentence, this.instead, this.run_,
    );
    this.watch(contest, "catalogue", (catalogue) => catalogue && this.fill(catalogue));
    this.watch(contest, "algorithms", () => this.dress());
    this.watch(contest, "found", (found) => this.tell(found));
    this.watch(contest, "sentence", (text) => (this.sentence.textContent = text));
    this.watch(contest, "text", (text) => text !== this.text.value && (this.text.value = text));
  }

  async fill({ games, own, algorithms, prefixes }) {
    const group = (label, names) => names.length && h("optgroup", { label }, names.map(([value, title]) => h("option", { value }, title)));
    const options = (openspiel) => [
      h("option", { value: "" }, "Choose…"),
      group("Your own", own.map((text) => [text, text])),
      group("Games", games.map(({ example, name, summary }) => [example, `${name}: ${summary}`])),
      group("OpenSpiel", openspiel.map((name) => [name, name])),
    ].filter(Boolean);
    this.names.replaceChildren(...options([]));
    this.known.replaceChildren(...[...algorithms, ...prefixes].map(({ name, summary }) => h("option", { value: name }, summary)));
    const { names } = await api.openspielGames();
    this.listed.replaceChildren(...names.map((value) => h("option", { value })));
    this.names.replaceChildren(...options(names));
    this.tell(contest.get("found"));
  }

  pick(text, replace = false) {
    if (text) go(address("games", text), replace);
  }

  end() {
    const ends = { iterations: typed(this.iterations.value), seconds: typed(this.seconds.value) };
    contest.change({ ends: Object.fromEntries(Object.entries(ends).filter(([, value]) => value !== null)) });
  }

  add() {
    const name = this.added.value.trim();
    if (!name) return;
    this.added.value = "";
    contest.change({ algorithms: [...contest.get("algorithms").filter((each) => each !== name), name] });
  }

  /** The algorithms, each with what is wrong with it. */
  dress() {
    const found = contest.get("found");
    this.chips.replaceChildren(...contest.get("algorithms").map((name) => {
      const error = found?.algorithms.find((each) => each.asked === name)?.error;
      const away = () => contest.change({ algorithms: contest.get("algorithms").filter((each) => each !== name) });
      return h(error ? "span.chip.wrong" : "span.chip", { title: error || null, data: { algorithm: name } }, name, h("button.quiet", { "aria-label": `without ${name}`, onclick: away }, "×"));
    }));
  }

  tell(found) {
    this.facts.classList.toggle("stale", !found);
    this.dress();
    this.instead.hidden = !found?.instead;
    this.command.textContent = found?.instead ?? "";
    const wrong = found?.algorithms.find((each) => each.error);
    this.run_.disabled = !found || found.sentence !== "" || Boolean(wrong) || !contest.get("algorithms").length;
    if (wrong && !found.sentence) this.sentence.textContent = wrong.error;
    if (!found) {
      this.about.textContent = contest.get("text") && !contest.get("sentence") ? "Looking at the game…" : "";
      return;
    }
    const entry = contest.get("catalogue")?.games.find(({ name }) => name === found.text.split("(")[0].trim().toLowerCase());
    this.names.value = [...this.names.options].some(({ value }) => value === found.text) ? found.text : (entry?.example ?? "");
    this.about.textContent = [found.summary, found.source].filter(Boolean).join(" · ");
    this.arguments(entry?.parameters ?? [], found.arguments, entry?.name);
    const most = found.exact ? "" : "at most ";
    const rows = [
      ["histories", `${found.exact ? "" : "about "}${count(found.histories)}`],
      ["infosets", `${most}${count(found.infosets)}`],
      ["memory", `${found.exact ? "" : "at least "}${bytes(found.bytes)}`, found.sentence !== "" && !found.exact],
      ["free", bytes(found.free)],
      found.exact ? ["an iteration of all", duration(found.seconds_per_iteration).replace("0.0 s", "< 0.1 s")] : ["to enumerate it", `about ${duration(found.seconds_to_enumerate)}`],
      ...(found.value === null ? [] : [["value of the game", found.value.toFixed(6)]]),
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, value, bad]) => [h("dt", name), h(bad ? "dd.bad" : "dd", value)]));
  }

  /** A field for each parameter; what is typed there becomes part of the name. */
  arguments(parameters, given, name) {
    if (this.parameters.contains(document.activeElement)) return;
    const inputs = parameters.map((each) => h("input", { name: `parameter ${each.name}`, "aria-label": each.name, placeholder: each.default, value: given[each.name] ?? "", autocomplete: "off", oninput: () => {
      const said = inputs.map((input, k) => [parameters[k].name, input.value.trim()]).filter(([, value]) => value);
      this.pick(said.length ? `${name}(${said.map(([key, value]) => `${key}=${value}`).join(", ")})` : name, true);
    } }));
    this.parameters.replaceChildren(...inputs.map((input, k) => h("label", h("span.label", parameters[k].name), input)));
  }
}

/** 9,457, or 4.3e10 where nobody reads the digits. */
const count = (number) => (number >= 1e9 ? number.toExponential(1).replace("e+", "e") : number.toLocaleString("en"));

customElements.define("game-chooser", GameChooser);
