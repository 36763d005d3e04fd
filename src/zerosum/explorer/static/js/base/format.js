// Numbers, names and times as text.

const POSITIONS = { "out of position": "OOP", "in position": "IP" };
export const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** OOP or IP, from the name of the position. */
export const positionLabel = (player) => POSITIONS[player] ?? player;

const FORMATS = new Map();

/** Format a number with a minimum and a maximum of decimals; formatters are cached because creating one is slow. */
function formatNumber(number, minimum, maximum) {
  const key = `${minimum} ${maximum}`;
  if (!FORMATS.has(key)) {
    FORMATS.set(key, new Intl.NumberFormat("en", { minimumFractionDigits: minimum, maximumFractionDigits: maximum }));
  }
  return FORMATS.get(key).format(number);
}

/** Chips: 1,234.5 */
export function chips(amount, digits = 2) {
  if (amount === null || amount === undefined) return "–";
  return formatNumber(amount, 0, Math.abs(amount) >= 1000 ? Math.min(1, digits) : digits);
}

/** A fixed number of decimals: 12.30, −0.4 */
export function fixed(amount, digits = 2) {
  if (amount === null || amount === undefined) return "–";
  const text = formatNumber(Math.abs(amount), digits, digits);
  return amount < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Three or four significant digits, for a cell of a grid: 1,176, 43.2, 1.05 */
export const compact = (amount) => fixed(amount, Math.abs(amount) >= 99.95 ? 0 : Math.abs(amount) >= 9.995 ? 1 : 2);

/** A share: 12.3% */
export function percent(share, digits = 1) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)}%`;
}

/** A number of significant digits: 0.0123, 12.3, 4,567 */
export function significant(number, digits = 3) {
  if (number === null || number === undefined) return "–";
  if (number !== 0 && Math.abs(number) < 1e-3) return number.toExponential(1);
  return number.toLocaleString("en", { maximumSignificantDigits: Math.abs(number) >= 1000 ? 15 : digits, maximumFractionDigits: Math.abs(number) >= 100 ? 0 : 20 });
}

/** A time: 0.4 s, 12 s, 3:05 min, 2:03 h */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const twoDigits = (number) => String(number).padStart(2, "0");
  if (minutes < 60) return `${minutes}:${twoDigits(Math.floor(seconds % 60))} min`;
  return minutes < 6000 ? `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)} h` : `${Math.round(minutes / 1440)} days`;
}

/** Parse the text of an input: a number, null if it is empty, else the text itself, for the server to reject. */
export const parseInput = (text) => (text.trim() === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text.trim());

/** Bytes: 3.2 GB */
export function bytes(count) {
  for (const unit of ["bytes", "KB", "MB", "GB", "TB"]) {
    if (count < 1000 || unit === "TB") return `${unit === "bytes" ? count : count.toFixed(1)} ${unit}`;
    count /= 1000;
  }
}

/** Write the first letter of a text in upper case: "river" becomes "River". */
export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The label of an action: "bet 693" becomes "Bet 693", "allin (100%)" becomes "All-in (100%)". */
export const actionLabel = (name) => capitalize(name.replace(/^allin\b/, "all-in"));

/** The exploitability of a run with its unit: 0.42% of the pot */
export function exploitabilityText(run) {
  if (run.exploitability === null || run.exploitability === undefined) return "–";
  return `${significant(run.exploitability)}${run.measure.startsWith("%") ? "" : " "}${run.measure}`;
}
