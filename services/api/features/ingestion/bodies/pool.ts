import { inspectJson, isWithin, type JsonLimits } from "#contract/ingestion/inspect.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { ReadChunkCache } from "#platform/batches-in-process.ts";
import { type BodyName, type BodyOf, readBody } from "./read.ts";
import type { PrepareJob } from "./worker.ts";
import { prepareBatch, type PreparedBatch } from "../batches/prepare.ts";

/**
 * Bodies up to this size in bytes are read on the event loop: sending them to a thread would cost
 * more.
 */
export const inlineBytes = 64 * 1_024;

/**
 * Small batches within these limits are also read on the event loop. Valid items of that size
 * contain no more; beyond that, the many tiny items take as long to check as large valid ones.
 */
export const inlineLimits: JsonLimits = { containers: 5_000, members: 10_000, elements: 5_000 };

/** Bodies beyond this size in bytes are read one at a time. */
const heavyBytes = 4 * 1_048_576;

/** Maximum number of bodies that are read concurrently, and most that wait for it. */
export const maxReading = 2;
export const maxWaiting = 32;

/** Milliseconds that reading a body may take. */
export const deadlineMs = 60_000;

/** Reads bodies: small ones at once, large ones in one of two threads that are started on demand. */
export class PreparePool {
  readonly #threads: ThreadPool<PrepareJob, unknown>;

  constructor(metrics: Metrics, private readonly readChunks?: ReadChunkCache) {
    this.#threads = new ThreadPool({
      name: "ingestion",
      script: new URL("./worker.ts", import.meta.url),
      metrics,
      threads: maxReading,
      maxQueued: maxWaiting,
      deadlineMs,
      heapMb: 1_024,
    });
  }

  /**
   * Throws as `prepareBatch` does, and 503 when too many large bodies wait. Takes ownership of
   * `body`.
   */
  async prepare(body: Uint8Array): Promise<PreparedBatch> {
    const inspected = body.length <= inlineBytes ? inspectJson(body) : undefined;
    // All items of a heavy one together would take too much of a thread's memory.
    const withDrafts = body.length <= heavyBytes && this.readChunks?.open === true;
    if (inspected && isWithin(inspected, inlineLimits)) {
      return prepareBatch(body, inspected, withDrafts);
    }
    const job: PrepareJob = { name: "batch", inspected, withDrafts };
    return await this.#threads.run(job, handedOver(body)) as PreparedBatch;
  }

  /** Throws as `readBody` does, and 503 when too many large bodies wait. Takes ownership of `body`. */
  async read<N extends BodyName>(name: N, body: Uint8Array): Promise<BodyOf<N>> {
    if (body.length <= inlineBytes) return readBody(name, body);
    return await this.#threads.run({ name }, handedOver(body)) as BodyOf<N>;
  }

  /** Ends the threads; their unfinished bodies are refused with 503. */
  stop(): void {
    this.#threads.stop();
  }
}

function handedOver(body: Uint8Array) {
  return { bytes: body, heavy: body.length > heavyBytes };
}
