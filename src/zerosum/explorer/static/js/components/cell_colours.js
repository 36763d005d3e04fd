// Colours of cells, and text that is readable on them.

import { app } from "../base/store.js";

/** Share of a cell's width that its text covers. */
const TEXT_WIDTH = 0.4;

const parse = (code) => [1, 3, 5].map((start) => parseInt(code.slice(start, start + 2), 16));
const write = (channels) => `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
const blend = (first, second, share) => first.map((channel, k) => channel + (second[k] - channel) * share);

/** Return the colour of a share between 0 and 1 on the server's scale of low, middle and high. */
export function scaleColour(share) {
  const [low, middle, high] = app.get("server").scale.map(parse);
  const clamped = Math.min(1, Math.max(0, share));
  return write(clamped < 0.5 ? blend(low, middle, 2 * clamped) : blend(middle, high, 2 * clamped - 1));
}

/** Return the numbers at the two ends of a colour scale: the 4% and 96% quantiles, so that outliers do not flatten it. */
export function colourRange(numbers) {
  const sorted = numbers.filter((number) => number !== null).sort((a, b) => a - b);
  const quantile = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return sorted.length ? [quantile(0.04), quantile(0.96)] : [0, 1];
}

/** Return whether text at the left of a split cell must be light, by the mean brightness of what it covers. */
export function needsLightText(shares, colours, strength, dark) {
  const background = dark ? [26, 28, 32] : [230, 229, 224];
  let uncovered = TEXT_WIDTH;
  let brightness = 0;
  shares.forEach((share, k) => {
    const width = Math.min(share, uncovered);
    const [r, g, b] = blend(background, parse(colours[k]), strength);
    brightness += width * (0.299 * r + 0.587 * g + 0.114 * b);
    uncovered -= width;
  });
  return brightness / TEXT_WIDTH < 125;
}
