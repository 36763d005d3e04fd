// Colour and dashes of chart lines: they come from the server, which draws pictures with the same ones.

import { app } from "./store.js";

/** Return the colour and the dashes of the line with this index, in the current theme. */
export function lineStyle(index) {
  const styles = app.get("server").lines;
  const { colour, dark, dash } = styles[index % styles.length];
  return { colour: document.documentElement.dataset.theme === "dark" ? dark : colour, dash };
}
