import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";
import { deadlineMs, inlineBytes, maxWaiting } from "./bounds.ts";
import { judgeBody, type JudgedBody } from "./judge.ts";
import type { JudgeJob } from "./worker.ts";

/**
 * Judges bodies: small ones at once, large ones in a thread of their own, so that events delay neither other requests nor
 * the batches of collectors, which have their own threads.
 */
export class JudgePool {
  readonly #threads: ThreadPool<JudgeJob, JudgedBody>;

  constructor(metrics: Metrics) {
    this.#threads = new ThreadPool({
      name: "openlineage",
      script: new URL("./worker.ts", import.meta.url),
      metrics,
      threads: 1,
      maxQueued: maxWaiting,
      deadlineMs,
      heapMb: 1_024,
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
