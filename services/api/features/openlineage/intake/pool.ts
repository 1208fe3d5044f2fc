import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { BatchesInFlight } from "#platform/batches-in-flight.ts";
import { cooldownFactor, deadlineMs, inlineBytes, maxCooldownMs, maxWaiting } from "./bounds.ts";
import { evaluateBody, type EvaluatedBody } from "./evaluate.ts";
import type { EvaluationJob } from "./worker.ts";

/**
 * Judges bodies: small ones at once, large ones in a thread of their own, so that events delay neither other requests nor
 * the batches of collectors, which have their own threads. While a collector waits, that thread rests after each body, so
 * that a flood is accepted little faster than it becomes visible: more helps nobody, and takes the collector's processors.
 */
export class EvaluationPool {
  readonly #threads: ThreadPool<EvaluationJob, EvaluatedBody>;

  constructor(metrics: Metrics, batchesInFlight?: Pick<BatchesInFlight, "any">) {
    this.#threads = new ThreadPool({
      name: "openlineage",
      script: new URL("./worker.ts", import.meta.url),
      metrics,
      threads: 1,
      maxQueued: maxWaiting,
      deadlineMs,
      heapMb: 1_024,
      cooldownMs: (tookMs) =>
        batchesInFlight?.any ? Math.min(tookMs * cooldownFactor, maxCooldownMs) : 0,
    });
  }

  /** Throws as `evaluateBody` does, and 503 when too many large bodies wait. Takes ownership of `body`. */
  async evaluate(body: Uint8Array, job: EvaluationJob): Promise<EvaluatedBody> {
    if (body.length <= inlineBytes) return evaluateBody(body, job);
    return await this.#threads.run(job, { bytes: body });
  }

  /** Ends the thread; what it has not done is refused with 503. */
  stop(): void {
    this.#threads.stop();
  }
}
