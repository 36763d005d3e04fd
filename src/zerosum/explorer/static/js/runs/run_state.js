// The state of a run.

import { duration } from "../base/format.js";

const COUNTED = ["boards", "histories"];

/** Return whether a run is running or waits for its turn. */
export const isBusy = ({ state }) => ["running", "preparing", "queued"].includes(state);

/** Describe the state of a run. */
export function stateText(run) {
  if (run.state === "preparing") {
    if (!run.stage) return "loading";
    const [stage, count] = run.stage;
    if (stage === "compiling") return `compiling (first run only): ${count} s`;
    return COUNTED.includes(stage) ? `building: ${count.toLocaleString("en")} ${stage}` : stage;
  }
  if (run.state === "running") return run.remaining === null ? "solving" : `solving, about ${duration(run.remaining)} left`;
  return { queued: "queued", paused: "paused", stopped: "stopped", done: "solved", failed: "failed" }[run.state];
}
