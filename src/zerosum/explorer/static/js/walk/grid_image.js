// The grid of a decision with its legend, as SVG or PNG.

import { className } from "../components/hand_cells.js";
import { actionLabel, chips, percent, positionLabel } from "../base/format.js";

const CELL = 46;
const TOP = 58;
const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** Return the text of an SVG file. */
export function gridSvg({ groups: { class: classes }, actions, board, player, line, pot }) {
  const side = 13 * CELL;
  const indices = new Map(classes.group.map((cell, k) => [cell, k]));
  const parts = [];
  for (let cell = 0; cell < 169; cell++) {
    const [x, y] = [(cell % 13) * CELL, TOP + Math.floor(cell / 13) * CELL];
    parts.push(`<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="#ecebe6" stroke="#fff"/>`);
    const k = indices.get(cell);
    if (k !== undefined) {
      let left = x;
      actions.forEach(({ colour }, a) => {
        const width = CELL * classes.frequency[a][k];
        if (width > 0) parts.push(`<rect x="${left.toFixed(2)}" y="${y}" width="${width.toFixed(2)}" height="${CELL}" fill="${colour}" opacity="${(0.25 + 0.75 * Math.sqrt(classes.start_share[k])).toFixed(2)}"/>`);
        left += width;
      });
    }
    parts.push(`<text x="${x + 4}" y="${y + 14}" font-size="12" font-weight="600" fill="${k === undefined ? "#a5a49e" : "#16171a"}">${className(cell)}</text>`);
  }
  const title = `${board.match(/../g).join(" ")} · ${line.join(", ") || "at the start"} · ${positionLabel(player)} to act, pot ${chips(pot)}`;
  let left = 4;
  const legend = actions.map(({ label, frequency, colour }) => {
    const text = `${actionLabel(label)} ${percent(frequency)}`;
    const entry = `<rect x="${left}" y="33" width="12" height="12" fill="${colour}"/><text x="${left + 17}" y="43.5" font-size="13">${escape(text)}</text>`;
    left += 34 + 7 * text.length;
    return entry;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -4 ${side + 16} ${side + TOP + 12}" width="${side + 16}" height="${side + TOP + 12}" font-family="system-ui, sans-serif"><rect x="-8" y="-4" width="100%" height="100%" fill="#fff"/><text x="4" y="18" font-size="15" font-weight="600">${escape(title)}</text>${legend.join("")}${parts.join("")}</svg>`;
}

/** Render an SVG text as a PNG with twice its resolution. */
export async function toPng(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    const pen = canvas.getContext("2d");
    pen.scale(2, 2);
    pen.drawImage(image, 0, 0);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
