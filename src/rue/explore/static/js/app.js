// The start of the page: loads the state, opens the stream of events, shows the shell.

import { app, runOf } from "./lib/store.js";
import { api, events } from "./lib/protocol.js";
import { address, go, runAddress, startRouter } from "./lib/router.js";
import "./parts/rue-shell.js";

localStorage.setItem("rue.token", location.pathname.split("/")[1]);

let news = [];
/** What was heard since the last frame: it is shown together, once a frame. */

function heard(name, data) {
  if (!news.length) requestAnimationFrame(tell);
  news.push([name, data]);
}

function tell() {
  const changes = {};
  for (const [name, data] of news) {
    const runs = changes.runs ?? app.get("runs");
    if (name === "runs") changes.runs = data;
    else if (name === "figure" || name === "report") changes[name] = data;
    else changes.runs = runs.map((run) => (run.id === data.id ? data : run));
  }
  news = [];
  app.set(changes);
}

async function start() {
  try {
    const server = await api.state();
    app.set({ server, runs: server.runs });
    if (!location.hash) {
      const { page, run, game } = server.start;
      if (page === "walk") go(runAddress(runOf(run) ?? { id: run }), true);
      else if (page === "build") go(address("build"), true);
      else if (page === "games") go(address("games", game), true);
    }
  } catch (error) {
    app.set({ server: { error: error.message } });
  }
  events(heard, (live) => app.set({ live }));
}

startRouter();
start();
