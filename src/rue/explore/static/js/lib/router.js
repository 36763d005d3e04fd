// Addresses after the #: `#/run/5f2c81d0/check,bet 693` is the page "run" with the parts ["5f2c81d0",
// "check,bet 693"].

import { app } from "./store.js";

/** A part of an address as it was meant; one that no address has (a cut link) as it stands. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function read(hash = location.hash) {
  const [page, ...parts] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { page: page || "home", parts };
}

export function address(page, ...parts) {
  return `#/${[page, ...parts].map(encodeURIComponent).join("/").replaceAll("%2C", ",")}`;
}

/** The page of a run: the walk of a spot, the curves of a game. */
export const runAddress = (run) => (run.game && !run.spot ? address("games", run.game) : address("run", run.id));

/** Go to a page; `replace` leaves no step to go back to. */
export function go(hash, replace = false) {
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  app.set({ route: read(hash) });
}

export function startRouter() {
  const follow = () => app.set({ route: read() });
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  follow();
}
