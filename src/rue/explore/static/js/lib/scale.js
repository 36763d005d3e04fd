// Logarithmic scales and their marks, for curves.

/** A function from a number to a place between `from` and `to`, logarithmic. */
export function logScale(low, high, from, to) {
  const a = Math.log(low);
  const b = Math.log(high);
  const width = b - a || 1;
  return (value) => from + ((Math.log(value) - a) / width) * (to - from);
}

/** Where a logarithmic axis has marks: powers of ten, or 1, 2, 5 of them if there are few, or even steps if these have one at most. */
export function marks(low, high, most = 6) {
  for (const steps of [[1, 2, 5], [1]]) {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const step of steps) {
        const value = step * 10 ** power;
        if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
      }
    }
    if (found.length < 2 && high > low) return evenMarks(low, high, most);
    if (found.length <= most) return found;
    if (steps.length === 1) return found.filter((_, k) => k % Math.ceil(found.length / most) === 0);
  }
  return [];
}

/** A function from a number to a place between `from` and `to`. */
export const linearScale = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

/** Where an even axis has marks: whole steps of 1, 2 or 5 times a power of ten. */
export function evenMarks(low, high, most = 6) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-9); k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}
