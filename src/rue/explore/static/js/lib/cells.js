// The 13 by 13 classes of hands: their names by their place, and how a cell is painted.

const RANKS = "AKQJT98765432";

/** The name of the class at a place: pairs on the diagonal, suited hands above it. */
export function className(cell) {
  const row = Math.floor(cell / 13);
  const column = cell % 13;
  if (row === column) return RANKS[row] + RANKS[column];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** A background split by action in proportion, as strong as a share between 0 and 1 says. */
export function split(shares, colours, strength = 1) {
  const alpha = strength < 1 ? Math.round(255 * strength).toString(16).padStart(2, "0") : "";
  const stops = [];
  let at = 0;
  shares.forEach((share, k) => {
    if (share <= 0) return;
    const to = at + 100 * share;
    stops.push(`${colours[k]}${alpha} ${at.toFixed(2)}% ${to.toFixed(2)}%`);
    at = to;
  });
  return stops.length ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
}
