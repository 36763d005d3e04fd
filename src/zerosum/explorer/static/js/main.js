// The entry point: load the state, open the event stream, show the shell.

import { app, findRun } from "./base/store.js";
import { api } from "./base/api.js";
import { openEvents } from "./base/events.js";
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
