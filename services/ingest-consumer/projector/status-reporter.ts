import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { writeStatus } from "./queries.ts";

/** States of the projector, in `projection_status` and in the metrics. */
const projectorStates = [
  "stopped",
  "standby",
  "running",
  "rebuilding",
  "graph_down",
  "waiting",
] as const;
export type ProjectorState = (typeof projectorStates)[number];

/** Milliseconds between two reports when nothing changes. */
const heartbeatMs = 5_000;

/** Reports state and position to the metrics, and when leading also to `projection_status`. */
export class ProjectorStatusReporter {
  #state: ProjectorState = "stopped";
  #position = 0;
  /** Why it waits; undefined while it does not. */
  cause: string | undefined;
  #reported = { at: -Infinity, position: -1, state: "" };
  readonly #gauges;

  constructor(
    private readonly db: Database,
    private readonly holder: string,
    metrics: Metrics,
  ) {
    this.#gauges = {
      position: metrics.gauge("tributary_projection_position", "Outbox position of the graph"),
      lag: metrics.gauge(
        "tributary_projection_lag_positions",
        "Outbox positions not yet in the graph",
      ),
      state: metrics.gauge(
        "tributary_projection_state",
        "1 for the current state of the projector",
        ["state"],
      ),
      batches: metrics.counter("tributary_projection_lots_total", "Batches written to the graph"),
      duration: metrics.histogram(
        "tributary_projection_lot_duration_seconds",
        "Time to write a batch to the graph",
        [],
        [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      ),
    };
    this.state = "stopped";
  }

  get state(): ProjectorState {
    return this.#state;
  }

  set state(state: ProjectorState) {
    this.#state = state;
    this.cause = undefined;
    for (const each of projectorStates) {
      this.#gauges.state.set({ state: each }, each === state ? 1 : 0);
    }
  }

  /** Records that a batch was written, in `seconds`. */
  batchWritten(seconds: number): void {
    this.#gauges.batches.inc();
    this.#gauges.duration.observe({}, seconds);
  }

  /** Sets the graph's position, and the last position of the outbox. */
  setPosition(position: number, head: number): void {
    this.#position = position;
    this.#gauges.position.set({}, position);
    this.#gauges.lag.set({}, Math.max(0, head - position));
  }

  /** Writes state and position if they changed, or if the last report is old. */
  async report(now: number): Promise<void> {
    const current = { at: now, position: this.#position, state: this.#state };
    const same = current.position === this.#reported.position &&
      current.state === this.#reported.state;
    if (same && now - this.#reported.at < heartbeatMs) return;
    await writeStatus(this.db, this.holder, current);
    this.#reported = current;
  }
}
