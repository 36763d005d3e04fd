// The entry point: load the state, open the event stream, show the shell.

import { app, findRun } from "./base/store.js";
import { api } from "./base/api.js";
import { formatAddress, navigate, runAddress, startRouter } from "./base/router.js";
import "./components/app_shell.js";

localStorage.setItem("zerosum.token", location.pathname.split("/")[1]);

/** Events that arrived since the last frame: they are applied together, once per frame. */
let pendingEvents = [];

function queueEvent(name, data) {
  if (!pendingEvents.length) requestAnimationFrame(applyEvents);
  pendingEvents.push([name, data]);
}

function applyEvents() {
  const changes = {};
  for (const [name, data] of pendingEvents) {
    const runs = changes.runs ?? app.get("runs");
    if (name === "runs") changes.runs = data;
    else if (name === "figure" || name === "report") changes[name] = data;
    else changes.runs = runs.map((run) => (run.id === data.id ? data : run));
  }
  pendingEvents = [];
  app.set(changes);
}

/**
 * Open the stream: call `onEvent(name, data)` for each event, and `onLive(true or false)` when the stream opens and breaks. A
 * hidden page closes it, because a browser allows only a few connections to one server.
 */
function openEvents(onEvent, onLive) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("api/events");
    source.onopen = () => onLive(true);
    source.onerror = () => onLive(false);
    for (const name of ["runs", "run", "figure", "report"]) source.addEventListener(name, (event) => onEvent(name, JSON.parse(event.data)));
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else open();
  });
  open();
}

async function start() {
  try {
    const server = await api.state();
    app.set({ server, runs: server.runs });
    if (!location.hash) {
      const { page, run, game } = server.start;
      if (page === "walk") navigate(runAddress(findRun(run) ?? { id: run }), true);
      else if (page === "build") navigate(formatAddress("build"), true);
      else if (page === "games") navigate(formatAddress("games", game), true);
    }
  } catch (error) {
    app.set({ server: { error: error.message } });
  }
  openEvents(queueEvent, (live) => app.set({ live }));
}

startRouter();
start();
