// Everything that goes to the server and comes from it; docs/explorer.md describes the JSON.

/** An error that the server tells in a sentence. */
export class Refused extends Error {}

const ENDED = "this page is of a server that has ended: open the address that rue explore printed when it started again";

async function ask(verb, path, body, signal) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method: verb,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("the server does not answer: start rue explore again");
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(data?.error ?? (answer.status === 403 ? ENDED : `the server answered ${answer.status}`));
  return data;
}

const part = encodeURIComponent;
const at = (line, more = {}) => new URLSearchParams({ line: line.join(","), ...more }).toString();

export const api = {
  state: () => ask("GET", "state"),
  checkSpot: (asked, signal) => ask("POST", "spot", asked, signal),
  spot: (kind, name) => ask("GET", `spots/${kind}/${part(name)}`),
  saveSpot: (name, spot) => ask("PUT", `spots/saved/${part(name)}`, { spot }),
  removeSpot: (name) => ask("DELETE", `spots/saved/${part(name)}`),
  range: (asked, signal) => ask("POST", "range", asked, signal),
  ranges: () => ask("GET", "ranges"),
  saveRange: (name, text) => ask("PUT", `ranges/${part(name)}`, { text }),
  removeRange: (name) => ask("DELETE", `ranges/${part(name)}`),
  newRun: (asked) => ask("POST", "runs", asked),
  pause: (id) => ask("POST", `runs/${part(id)}/pause`, {}),
  stop: (id) => ask("POST", `runs/${part(id)}/stop`, {}),
  go: (id, further = {}) => ask("POST", `runs/${part(id)}/go`, further),
  remove: (id) => ask("DELETE", `runs/${part(id)}`),
  walk: (id, line, evs, signal) => ask("GET", `runs/${part(id)}/walk?${at(line, { evs: evs ? 1 : 0 })}`, undefined, signal),
  cards: (id, line, evs, signal) => ask("GET", `runs/${part(id)}/cards?${at(line, { evs: evs ? 1 : 0 })}`, undefined, signal),
  versus: (id, line, signal) => ask("GET", `runs/${part(id)}/ranges?${at(line)}`, undefined, signal),
  text: (id, line, format) => ask("GET", `runs/${part(id)}/text?${at(line, { format })}`),
  edited: (id, { line, edits, keep }, signal) => ask("POST", `runs/${part(id)}/edited`, { line, edits, keep }, signal),
  lock: (id, asked) => ask("POST", `runs/${part(id)}/lock`, asked),
  compare: (id, before, line, signal) => ask("GET", `runs/${part(id)}/compare?${at(line, { before })}`, undefined, signal),
  games: () => ask("GET", "games"),
  openspielGames: () => ask("GET", "games/openspiel"),
  checkGame: (asked, signal) => ask("POST", "game", asked, signal),
  newRuns: (asked) => ask("POST", "games/runs", asked),
  tree: (asked, signal) => ask("POST", "tree", asked, signal),
  infosets: (id, text, signal) => ask("GET", `runs/${part(id)}/infosets?${new URLSearchParams({ text })}`, undefined, signal),
  figures: () => ask("GET", "figures"),
  figure: (key, signal) => ask("GET", `figures/${part(key)}`, undefined, signal),
  figurePicture: (key, of, signal) => ask("GET", `figures/${part(key)}/picture?of=${of}`, undefined, signal),
  figureTable: (key, of) => ask("GET", `figures/${part(key)}/table?of=${of}`),
  runFigure: (key, asked) => ask("POST", `figures/${part(key)}/run`, asked),
  stopFigure: (key) => ask("POST", `figures/${part(key)}/stop`, {}),
  curves: (ids) => ask("GET", `curves?runs=${ids.map(part).join(",")}`),
  runouts: (id, line, format, signal) => ask("GET", `runs/${part(id)}/runouts?${at(line, { format })}`, undefined, signal),
  reports: () => ask("GET", "reports"),
  newReport: (asked) => ask("POST", "reports", asked),
  continueReport: () => ask("POST", "reports/go", {}),
  stopReport: () => ask("POST", "reports/stop", {}),
  report: (name, format, signal) => ask("GET", `reports/${part(name)}?format=${format}`, undefined, signal),
  training: (id) => ask("GET", `runs/${part(id)}/training`),
  train: (id, asked) => ask("POST", `runs/${part(id)}/training`, asked),
  answer: (id, line, action) => ask("POST", `runs/${part(id)}/training/answer`, { line: line.join(","), action }),
  deal: (id) => ask("POST", `runs/${part(id)}/training/deal`, {}),
  differences: (id, before, line, signal) => ask("GET", `runs/${part(id)}/differences?${at(line, { before })}`, undefined, signal),
  hands: (board, hands, signal) => ask("POST", "hands", { board, hands }, signal),
};

/**
 * The stream of events: `tell(name, data)` for each; `live(true or false)` when it opens and breaks. A page that
 * nobody sees closes it, because a browser has few connections for all its pages.
 */
export function events(tell, live) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("api/events");
    source.onopen = () => live(true);
    source.onerror = () => live(false);
    for (const name of ["runs", "run", "figure", "report"]) source.addEventListener(name, (event) => tell(name, JSON.parse(event.data)));
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else open();
  });
  open();
}
