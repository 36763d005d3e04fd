// Choose a game with its parameters, the algorithms and their limits; show what the runs cost and start them.

import { Component, h, whenReleased } from "../base/element.js";
import { bytes, duration, parseInput } from "../base/format.js";
import { gameState } from "./game_state.js";
import { api } from "../base/api.js";
import { formatAddress, navigate } from "../base/router.js";

class GameForm extends Component {
  build() {
    this.names = h("select", { "aria-label": "game from the catalogue", onchange: () => this.pick(this.names.value) });
    this.text = h("input", { name: "game", "aria-label": "game", autocomplete: "off", spellcheck: "false", list: "openspiel-games", oninput: () => this.pick(this.text.value, true) });
    this.openspielNames = h("datalist", { id: "openspiel-games" });
    this.summary = h("p.muted");
    this.parameters = h("div.fields");
    this.chips = h("div.chips");
    this.newAlgorithm = h("input", { name: "algorithm", placeholder: "dcfr(1.5, 0, 2), lp, …", "aria-label": "add an algorithm", autocomplete: "off", spellcheck: "false", list: "algorithms", onkeydown: (event) => event.key === "Enter" && this.addAlgorithm() });
    this.algorithmNames = h("datalist", { id: "algorithms" });
    this.iterations = h("input", { name: "iterations", value: gameState.get("limits").iterations ?? "", inputmode: "numeric", "aria-label": "iterations", oninput: () => this.changeLimits() });
    this.seconds = h("input", { name: "seconds", placeholder: "any", inputmode: "decimal", "aria-label": "seconds", oninput: () => this.changeLimits() });
    this.facts = h("dl.facts");
    this.message = h("p.message", { role: "status" });
    this.command = h("pre");
    this.suggestion = h("div.suggestion", { hidden: true }, h("p.muted", "This game is too large to enumerate, so no curve is possible. To sample a strategy, run:"), this.command);
    this.run_ = h("button.primary", { onclick: () => gameState.start() }, "Run");
    this.replaceContent(
      h("h2", "Game"), this.names, this.text, this.openspielNames, this.summary, this.parameters,
      h("h2", "Algorithms"), this.chips, h("div.row", h("div.grow", this.newAlgorithm), h("button", { onclick: () => this.addAlgorithm() }, "Add")), this.algorithmNames,
      h("div.fields", h("label", h("span.label", "Iterations"), this.iterations), h("label", h("span.label", "Seconds per run"), this.seconds)),
      this.facts, this.message, this.suggestion, this.run_,
    );
    this.subscribe(gameState, "catalogue", (catalogue) => catalogue && this.fill(catalogue));
    this.subscribe(gameState, "algorithms", () => this.renderAlgorithms());
    this.subscribe(gameState, "estimate", (estimate) => this.render(estimate));
    this.subscribe(gameState, "message", (text) => (this.message.textContent = text));
    this.subscribe(gameState, "text", (text) => text !== this.text.value && (this.text.value = text));
  }

  async fill({ games, custom, algorithms, prefixes }) {
    const group = (label, names) => names.length && h("optgroup", { label }, names.map(([value, title]) => h("option", { value }, title)));
    const options = (openspiel) => [
      h("option", { value: "" }, "Choose…"),
      group("Your games", custom.map((text) => [text, text])),
      group("Games", games.map(({ example, name, summary }) => [example, `${name}: ${summary}`])),
      group("OpenSpiel", openspiel.map((name) => [name, name])),
    ].filter(Boolean);
    this.names.replaceChildren(...options([]));
    this.algorithmNames.replaceChildren(...[...algorithms, ...prefixes].map(({ name, summary }) => h("option", { value: name }, summary)));
    const { names } = await api.openspielGames();
    this.openspielNames.replaceChildren(...names.map((value) => h("option", { value })));
    this.names.replaceChildren(...options(names));
    this.render(gameState.get("estimate"));
  }

  pick(text, replace = false) {
    if (text) navigate(formatAddress("games", text), replace);
  }

  changeLimits() {
    const limits = { iterations: parseInput(this.iterations.value), seconds: parseInput(this.seconds.value) };
    gameState.change({ limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null)) });
  }

  addAlgorithm() {
    const name = this.newAlgorithm.value.trim();
    if (!name) return;
    this.newAlgorithm.value = "";
    gameState.change({ algorithms: [...gameState.get("algorithms").filter((listed) => listed !== name), name] });
  }

  /** Show the algorithms, those that cannot run here with the error as a tooltip. */
  renderAlgorithms() {
    const estimate = gameState.get("estimate");
    this.chips.replaceChildren(...gameState.get("algorithms").map((name) => {
      const error = estimate?.algorithms.find(({ text }) => text === name)?.error;
      const remove = () => gameState.change({ algorithms: gameState.get("algorithms").filter((listed) => listed !== name) });
      return h(error ? "span.chip.invalid" : "span.chip", { title: error || null, data: { algorithm: name } }, name, h("button.quiet", { "aria-label": `remove ${name}`, onclick: remove }, "×"));
    }));
  }

  render(estimate) {
    this.facts.classList.toggle("stale", !estimate);
    whenReleased(this.chips, () => this.renderAlgorithms());
    this.suggestion.hidden = !estimate?.suggestion;
    this.command.textContent = estimate?.suggestion ?? "";
    const invalid = estimate?.algorithms.find(({ error }) => error);
    this.run_.disabled = !estimate || estimate.problem !== "" || Boolean(invalid) || !gameState.get("algorithms").length;
    if (invalid && !estimate.problem) this.message.textContent = invalid.error;
    if (!estimate) {
      this.summary.textContent = gameState.get("text") && !gameState.get("message") ? "Checking the game…" : "";
      return;
    }
    const entry = gameState.get("catalogue")?.games.find(({ name }) => name === estimate.text.split("(")[0].trim().toLowerCase());
    this.names.value = [...this.names.options].some(({ value }) => value === estimate.text) ? estimate.text : (entry?.example ?? "");
    this.summary.textContent = [estimate.summary, estimate.source].filter(Boolean).join(" · ");
    this.renderParameters(Object.entries(entry?.parameters ?? {}), estimate.arguments, entry?.name);
    const bound = estimate.exact ? "" : "at most ";
    const rows = [
      ["histories", `${estimate.exact ? "" : "about "}${count(estimate.histories)}`],
      ["infosets", `${bound}${count(estimate.infosets)}`],
      ["memory", `${estimate.exact ? "" : "at least "}${bytes(estimate.bytes)}`, estimate.problem !== "" && !estimate.exact],
      ["free memory", bytes(estimate.free)],
      estimate.exact ? ["time per iteration", duration(estimate.seconds_per_iteration).replace("0.0 s", "< 0.1 s")] : ["time to enumerate", `about ${duration(estimate.seconds_to_enumerate)}`],
      ...(estimate.value === null ? [] : [["value of the game", estimate.value.toFixed(6)]]),
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, value, bad]) => [h("dt", name), h(bad ? "dd.bad" : "dd", value)]));
  }

  /** Show a field for each parameter; typing in one changes the name of the game. */
  renderParameters(parameters, values, name) {
    if (this.parameters.contains(document.activeElement)) return;
    const inputs = parameters.map(([parameter, byDefault]) => h("input", { name: `parameter ${parameter}`, "aria-label": parameter, placeholder: byDefault, value: values[parameter] ?? "", autocomplete: "off", oninput: () => {
      const typed = inputs.map((input, k) => [parameters[k][0], input.value.trim()]).filter(([, value]) => value);
      this.pick(typed.length ? `${name}(${typed.map(([key, value]) => `${key}=${value}`).join(", ")})` : name, true);
    } }));
    this.parameters.replaceChildren(...inputs.map((input, k) => h("label", h("span.label", parameters[k][0]), input)));
  }
}

/** A count: 9,457, or 4.3e10 from a billion on. */
const count = (number) => (number >= 1e9 ? number.toExponential(1).replace("e+", "e") : number.toLocaleString("en"));

customElements.define("game-form", GameForm);
