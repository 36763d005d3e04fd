// Every request to the server; docs/explorer.md describes the JSON.

/** The server rejected a request, or did not answer; the message can be shown as it is. */
export class RequestError extends Error {}

const SERVER_RESTARTED = "the server was restarted: open the address that zerosum explore printed";

async function request(verb, path, body, signal) {
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
    throw new RequestError("the server does not answer: start zerosum explore again");
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new RequestError(data?.error ?? (answer.status === 403 ? SERVER_RESTARTED : `the server answered ${answer.status}`));
  return data;
}

const encode = encodeURIComponent;
const lineQuery = (line, more = {}) => new URLSearchParams({ line: line.join(","), ...more }).toString();

export const api = {
  state: () => request("GET", "state"),
  checkSpot: (options, signal) => request("POST", "spot", options, signal),
  spot: (kind, name) => request("GET", `spots/${kind}/${encode(name)}`),
  saveSpot: (name, spot) => request("PUT", `spots/saved/${encode(name)}`, { spot }),
  deleteSpot: (name) => request("DELETE", `spots/saved/${encode(name)}`),
  range: (options, signal) => request("POST", "range", options, signal),
  savedRanges: () => request("GET", "ranges"),
  saveRange: (name, text) => request("PUT", `ranges/${encode(name)}`, { text }),
  deleteRange: (name) => request("DELETE", `ranges/${encode(name)}`),
  startRun: (options) => request("POST", "runs", options),
  pauseRun: (id) => request("POST", `runs/${encode(id)}/pause`, {}),
  stopRun: (id) => request("POST", `runs/${encode(id)}/stop`, {}),
  resumeRun: (id, limits = {}) => request("POST", `runs/${encode(id)}/resume`, limits),
  deleteRun: (id) => request("DELETE", `runs/${encode(id)}`),
  walk: (id, line, evs, signal) => request("GET", `runs/${encode(id)}/walk?${lineQuery(line, { evs: evs ? 1 : 0 })}`, undefined, signal),
  cards: (id, line, evs, signal) => request("GET", `runs/${encode(id)}/cards?${lineQuery(line, { evs: evs ? 1 : 0 })}`, undefined, signal),
  ranges: (id, line, signal) => request("GET", `runs/${encode(id)}/ranges?${lineQuery(line)}`, undefined, signal),
  exportText: (id, line, format) => request("GET", `runs/${encode(id)}/text?${lineQuery(line, { format })}`),
  previewLock: (id, { line, edits, keep }, signal) => request("POST", `runs/${encode(id)}/lock/preview`, { line, edits, keep }, signal),
  solveLocked: (id, options) => request("POST", `runs/${encode(id)}/lock`, options),
  compareRuns: (id, before, line, signal) => request("GET", `runs/${encode(id)}/compare?${lineQuery(line, { before })}`, undefined, signal),
  games: () => request("GET", "games"),
  openspielGames: () => request("GET", "games/openspiel"),
  checkGame: (options, signal) => request("POST", "game", options, signal),
  startRuns: (options) => request("POST", "games/runs", options),
  gameTree: (options, signal) => request("POST", "tree", options, signal),
  infosets: (id, text, signal) => request("GET", `runs/${encode(id)}/infosets?${new URLSearchParams({ text })}`, undefined, signal),
  figures: () => request("GET", "figures"),
  figure: (key, signal) => request("GET", `figures/${encode(key)}`, undefined, signal),
  figurePicture: (key, source, signal) => request("GET", `figures/${encode(key)}/picture?source=${source}`, undefined, signal),
  figureTable: (key, source) => request("GET", `figures/${encode(key)}/table?source=${source}`),
  runFigure: (key, options) => request("POST", `figures/${encode(key)}/run`, options),
  stopFigure: (key) => request("POST", `figures/${encode(key)}/stop`, {}),
  curves: (ids) => request("GET", `curves?runs=${ids.map(encode).join(",")}`),
  runouts: (id, line, format, signal) => request("GET", `runs/${encode(id)}/runouts?${lineQuery(line, { format })}`, undefined, signal),
  reports: () => request("GET", "reports"),
  startReport: (options) => request("POST", "reports", options),
  resumeReport: () => request("POST", "reports/resume", {}),
  stopReport: () => request("POST", "reports/stop", {}),
  report: (name, format, signal) => request("GET", `reports/${encode(name)}?format=${format}`, undefined, signal),
  training: (id) => request("GET", `runs/${encode(id)}/training`),
  startTraining: (id, options) => request("POST", `runs/${encode(id)}/training`, options),
  answerHand: (id, line, action) => request("POST", `runs/${encode(id)}/training/answer`, { line: line.join(","), action }),
  dealHand: (id) => request("POST", `runs/${encode(id)}/training/deal`, {}),
  differences: (id, before, line, signal) => request("GET", `runs/${encode(id)}/differences?${lineQuery(line, { before })}`, undefined, signal),
  matchHands: (board, hands, signal) => request("POST", "hands", { board, hands }, signal),
};
