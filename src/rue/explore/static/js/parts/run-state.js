// The state of a run in words.

import { duration } from "../lib/format.js";

const PIECES = { boards: "boards", histories: "histories" };

export function stateOf(run) {
  if (run.state === "preparing") {
    if (!run.stage) return "reading";
    const [what, count] = run.stage;
    if (what === "compiling") return `compiling kernels, for this once: ${count} s so far`;
    return PIECES[what] ? `building: ${count.toLocaleString("en")} ${PIECES[what]}` : what;
  }
  if (run.state === "running") return run.remaining === null ? "solving" : `solving, about ${duration(run.remaining)} left`;
  return { queued: "waiting for its turn", paused: "paused", stopped: "stopped", done: "solved", failed: "failed" }[run.state];
}
