// Linear and logarithmic axes with their ticks.

/** Return a function that maps `low` to `from` and `high` to `to`, logarithmically. */
export function logScale(low, high, from, to) {
  const a = Math.log(low);
  const b = Math.log(high);
  const width = b - a || 1;
  return (value) => from + ((Math.log(value) - a) / width) * (to - from);
}

/**
 * The ticks of a logarithmic axis: 1, 2 and 5 times powers of ten, only the powers if that is more than `limit`, and the ticks of a
 * linear axis if fewer than two would remain.
 */
export function logTicks(low, high, limit = 6) {
  for (const steps of [[1, 2, 5], [1]]) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const step of steps) {
        const value = step * 10 ** power;
        if (value >= low * 0.999 && value <= high * 1.001) ticks.push(value);
      }
    }
    if (ticks.length < 2 && high > low) return linearTicks(low, high, limit);
    if (ticks.length <= limit) return ticks;
    if (steps.length === 1) return ticks.filter((_, k) => k % Math.ceil(ticks.length / limit) === 0);
  }
  return [];
}

/** Return a function that maps `low` to `from` and `high` to `to`, linearly. */
export const linearScale = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

/** The ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten. */
export function linearTicks(low, high, limit = 6) {
  const smallestStep = (high - low) / limit;
  const power = 10 ** Math.floor(Math.log10(smallestStep));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= smallestStep * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-9); k++) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}
