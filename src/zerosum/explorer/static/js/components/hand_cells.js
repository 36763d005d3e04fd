// The 169 classes of hands: their names, and backgrounds split by action.

const RANKS = "AKQJT98765432";

/** Return the name of the class in a cell of the 13 by 13 grid: pairs on the diagonal, suited hands above it. */
export function className(cell) {
  const row = Math.floor(cell / 13);
  const column = cell % 13;
  if (row === column) return RANKS[row] + RANKS[column];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** Return a background split in proportion to the shares of the actions; `strength` between 0 and 1 is its opacity. */
export function splitBackground(shares, colours, strength = 1) {
  const alpha = strength < 1 ? Math.round(255 * strength).toString(16).padStart(2, "0") : "";
  const stops = [];
  let from = 0;
  shares.forEach((share, k) => {
    if (share <= 0) return;
    const to = from + 100 * share;
    stops.push(`${colours[k]}${alpha} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
    from = to;
  });
  return stops.length ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
}
