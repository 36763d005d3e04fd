// How the lines of charts look: colour and dashes come from the server, the same that pictures in print have.

import { app } from "./store.js";

/** The colour and the dashes of the line at a place, in the theme of now. */
export function lineStyle(place) {
  const styles = app.get("server").lines;
  const { colour, dark, dash } = styles[place % styles.length];
  return { colour: document.documentElement.dataset.theme === "dark" ? dark : colour, dash };
}
