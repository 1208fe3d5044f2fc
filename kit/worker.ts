/** State of a worker, for `/health/ready`, metrics and logs. */
export interface Health {
  ready: boolean;
  /** Short stable word: `running`, `standby`, `waiting_for_graph`, … */
  state: string;
  detail?: string;
}

/**
 * A part of a service that runs in the background. `start` resolves once it runs; a later failure is reported
 * to `onCrash`, once. `stop` finishes accepted work, is idempotent, and may be called without a start.
 */
export interface Worker {
  readonly name: string;
  start(onCrash: (error: unknown) => void): Promise<void>;
  stop(): Promise<void>;
  health(): Health;
}
