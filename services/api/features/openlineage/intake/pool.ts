import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { BatchesInHand } from "#platform/batches-in-hand.ts";
import { deadlineMs, inlineBytes, maxRestMs, maxWaiting, restTimes } from "./bounds.ts";
import { judgeBody, type JudgedBody } from "./judge.ts";
import type { JudgeJob } from "./worker.ts";

/**
 * Judges bodies: small ones at once, large ones in a thread of their own, so that events delay neither other requests nor
 * the batches of collectors, which have their own threads. While a collector waits, that thread rests after each body, so
 * that a flood is accepted little faster than it becomes visible: more helps nobody, and takes the collector's processors.
 */
export class JudgePool {
  readonly #threads: ThreadPool<JudgeJob, JudgedBody>;

  constructor(metrics: Metrics, batchesInHand?: Pick<BatchesInHand, "any">) {
    this.#threads = new ThreadPool({
      name: "openlineage",
      script: new URL("./worker.ts", import.meta.url),
      metrics,
      threads: 1,
      maxQueued: maxWaiting,
      deadlineMs,
      heapMb: 1_024,
      restMs: (tookMs) => batchesInHand?.any ? Math.min(tookMs * restTimes, maxRestMs) : 0,
    });
  }

  /** Throws as `judgeBody` does, and 503 when too many large bodies wait. Takes ownership of `body`. */
  async judge(body: Uint8Array, job: JudgeJob): Promise<JudgedBody> {
    if (body.length <= inlineBytes) return judgeBody(body, job);
    return await this.#threads.run(job, { bytes: body });
  }

  /** Ends the thread; what it has not done is refused with 503. */
  stop(): void {
    this.#threads.stop();
  }
}
