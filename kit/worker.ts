/** How a worker is, for `/health/ready`, metrics and logs. */
export interface Health {
  ready: boolean;
  /** Short stable word: `running`, `standby`, `waiting_for_graph`, … */
  state: string;
  detail?: string;
}

/**
 * A unit of a service. `start` returns once it is at work; a later failure is reported by
 * `onCrash`, once. `stop` finishes what was accepted, is idempotent and safe without a start.
 */
export interface Worker {
  readonly name: string;
  start(onCrash: (error: unknown) => void): Promise<void>;
  stop(): Promise<void>;
  health(): Health;
}
