// Numbers and names as people read them.

const POSITIONS = { "out of position": "OOP", "in position": "IP" };
export const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** OOP or IP. */
export const position = (player) => POSITIONS[player] ?? player;

const FORMATS = new Map();

/** A number as `toLocaleString` writes it, with what that takes prepared once. */
function written(number, least, most) {
  const key = `${least} ${most}`;
  if (!FORMATS.has(key)) {
    FORMATS.set(key, new Intl.NumberFormat("en", { minimumFractionDigits: least, maximumFractionDigits: most }));
  }
  return FORMATS.get(key).format(number);
}

/** Chips: 1,234.5 */
export function chips(amount, digits = 2) {
  if (amount === null || amount === undefined) return "–";
  return written(amount, 0, Math.abs(amount) >= 1000 ? Math.min(1, digits) : digits);
}

/** A number with so many decimals: 12.30, −0.4 */
export function plain(amount, digits = 2) {
  if (amount === null || amount === undefined) return "–";
  const text = written(Math.abs(amount), digits, digits);
  return amount < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** A number in as little room as a cell has: 1,176, 43.2, 1.05 */
export const brief = (amount) => plain(amount, Math.abs(amount) >= 99.95 ? 0 : Math.abs(amount) >= 9.995 ? 1 : 2);

/** A share: 12.3% */
export function percent(share, digits = 1) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)}%`;
}

/** A number with so many digits that count: 0.0123, 12.3, 4,567 */
export function short(number, digits = 3) {
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
  const two = (number) => String(number).padStart(2, "0");
  if (minutes < 60) return `${minutes}:${two(Math.floor(seconds % 60))} min`;
  return minutes < 6000 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)} h` : `${Math.round(minutes / 1440)} days`;
}

/** A number as it is typed; what is none goes to the server as it is, which says so. Nothing is null. */
export const typed = (text) => (text.trim() === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text.trim());

/** Bytes: 3.2 GB */
export function bytes(count) {
  for (const unit of ["bytes", "KB", "MB", "GB", "TB"]) {
    if (count < 1000 || unit === "TB") return `${unit === "bytes" ? count : count.toFixed(1)} ${unit}`;
    count /= 1000;
  }
}

/** An action: "bet 693" is "Bet 693", "allin (100%)" is "All-in (100%)". */
export function action(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/^llin\b/, "ll-in");
}

/** An exploitability in its measure: 0.42% of the pot */
export function exploited(run) {
  if (run.exploitability === null || run.exploitability === undefined) return "–";
  return `${short(run.exploitability)}${run.measure.startsWith("%") ? "" : " "}${run.measure}`;
}
