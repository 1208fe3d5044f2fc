import type { Clock } from "#kit/clock.ts";

/** Milliseconds between two looks whether the receivers are idle. */
const probeMs = 20;
/** Milliseconds that counting is delayed at most, batch by batch; under load edges may lag behind by as much. */
const maxWaitMs = 2_000;

/**
 * Gives the receivers priority over counting: spans that are not accepted may be lost with their exporter,
 * accepted ones are safe in the log. So while requests are at work, counting waits a little, and then
 * takes a larger batch, which costs less a span.
 */
export class ReceiverPriority {
  /** `busy`: whether a receiver has a request at work. */
  constructor(private readonly busy: () => boolean, private readonly clock: Clock) {}

  /** Resolves when the receivers are idle, after `maxWaitMs`, or when `signal` aborts. */
  async receiversIdle(signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < maxWaitMs && this.busy() && !signal.aborted; waited += probeMs) {
      await this.clock.sleep(probeMs, signal);
    }
  }
}
