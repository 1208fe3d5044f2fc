/** Heartbeats that may be missed in a row before a process counts as hung. */
const mayMiss = 10;
/** The same before its first heartbeat: it has to be loaded, on a machine that may be busy. */
const mayMissAtStart = 60;

/**
 * Watches the heartbeats of another process. It counts ticks of a timer of its own instead of measuring
 * time: while this process is delayed itself, its timer does not tick either.
 */
export class HeartbeatMonitor {
  readonly #timer;
  #missed = 0;
  #allowed = mayMissAtStart;

  /** Calls `onHang` once, when no heartbeat came during too many ticks of `everyMs` milliseconds. */
  constructor(everyMs: number, onHang: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#missed < this.#allowed) return;
      this.stop();
      onHang();
    }, everyMs);
  }

  /** A heartbeat came. */
  heard(): void {
    this.#missed = 0;
    this.#allowed = mayMiss;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
