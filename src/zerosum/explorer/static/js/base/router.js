// Addresses after the #: `#/run/5f2c81d0/check,bet 693` is the page "run" with the parts ["5f2c81d0", "check,bet 693"].

import { app } from "./store.js";

/** Decode a part of an address; return it unchanged if its escapes are invalid, as in a truncated link. */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parseAddress(hash = location.hash) {
  const [page, ...parts] = hash.replace(/^#\/?/, "").split("/").map(decodePart);
  return { page: page || "home", parts };
}

export function formatAddress(page, ...parts) {
  return `#/${[page, ...parts].map(encodeURIComponent).join("/").replaceAll("%2C", ",")}`;
}

/** The address of a run's page: the walk of a spot, the curves of a game. */
export const runAddress = (run) => (run.game && !run.spot ? formatAddress("games", run.game) : formatAddress("run", run.id));

/** Go to an address; `replace` adds no entry to the browser's history. */
export function navigate(hash, replace = false) {
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  app.set({ route: parseAddress(hash) });
}

export function startRouter() {
  const update = () => app.set({ route: parseAddress() });
  addEventListener("hashchange", update);
  addEventListener("popstate", update);
  update();
}
