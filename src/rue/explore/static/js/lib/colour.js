// Colours of cells: mixed, and with text that can be read on them.

import { app } from "./store.js";

const parse = (code) => [1, 3, 5].map((at) => parseInt(code.slice(at, at + 2), 16));
const write = (parts) => `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
const mix = (one, two, share) => one.map((part, k) => part + (two[k] - part) * share);

/** The colour of a share between 0 and 1, on the scale of the server: low, middle, high. */
export function scaled(share) {
  const [low, middle, high] = app.get("server").scale.map(parse);
  const at = Math.min(1, Math.max(0, share));
  return write(at < 0.5 ? mix(low, middle, 2 * at) : mix(middle, high, 2 * at - 1));
}

const WIDTH = 0.4;
/** Share of a cell that its name covers. */

/** The low and the high end of numbers for a scale: a few that lie far out do not count. */
export function ends(numbers) {
  const sorted = numbers.filter((number) => number !== null).sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return sorted.length ? [at(0.04), at(0.96)] : [0, 1];
}

/** Whether text on the left of a split cell should be light: by what lies under it, on a background. */
export function lightText(shares, colours, strength, dark) {
  const ground = dark ? [26, 28, 32] : [230, 229, 224];
  let left = WIDTH;
  let sum = 0;
  shares.forEach((share, k) => {
    const part = Math.min(share, left);
    const [r, g, b] = mix(ground, parse(colours[k]), strength);
    sum += part * (0.299 * r + 0.587 * g + 0.114 * b);
    left -= part;
  });
  return sum / WIDTH < 125;
}
