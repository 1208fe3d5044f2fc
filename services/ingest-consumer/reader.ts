import { deserialize } from "node:v8";
import {
  holdsAtMost,
  type Inspected,
  inspectJson,
  type JsonLimits,
} from "#contract/ingestion/inspect.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { DraftedPart, PartIdentity } from "./part.ts";
import { read, type ReadPart } from "./stages/read.ts";

/**
 * Records up to this size (bytes) that hold no more than this are read on the event loop: moving them
 * would cost more.
 */
export const inlineBytes = 1_048_576;
const inlineLimits: JsonLimits = { containers: 20_000, members: 50_000, elements: 50_000 };

/** Milliseconds that reading a record may take. */
export const readTimeoutMs = 60_000;

/** What a thread is told of a record that comes with it. */
export interface ReadJob {
  identity: PartIdentity;
  /** What was seen of it already. */
  inspected: Inspected | undefined;
}

/** Reads records: small ones at once, large ones in a thread that starts when it is needed. */
export class RecordReader {
  #threads: ThreadPool<ReadJob, ReadPart<Uint8Array>> | undefined;

  constructor(private readonly metrics: Metrics) {}

  /**
   * Stages 2 to 4. A slice is opened when its turn comes, so that no large record holds up the event
   * loop. Throws as `validate`, and a retryable `AppError` when the thread was given up.
   */
  async read(value: Uint8Array, identity: PartIdentity): Promise<ReadPart<() => DraftedPart>> {
    const inspected = value.length <= inlineBytes ? inspectJson(value) : undefined;
    if (inspected && holdsAtMost(inspected, inlineLimits)) {
      return read(value, identity, (drafted) => () => drafted, inspected);
    }
    this.#threads ??= this.#open();
    // A copy: the record is kept, for it may become a dead letter.
    const found = await this.#threads.run({ identity, inspected }, {
      bytes: new Uint8Array(value),
    });
    return {
      ...found,
      slices: found.slices.map((slice) => ({
        ...slice,
        drafted: () => deserialize(slice.drafted) as DraftedPart,
      })),
    };
  }

  /** Ends the thread; it starts again when it is needed. */
  stop(): void {
    this.#threads?.stop();
    this.#threads = undefined;
  }

  #open(): ThreadPool<ReadJob, ReadPart<Uint8Array>> {
    return new ThreadPool({
      name: "records",
      script: new URL("./reader-thread.ts", import.meta.url),
      metrics: this.metrics,
      threads: 1,
      maxQueued: 64,
      deadlineMs: readTimeoutMs,
      heapMb: 1_024,
    });
  }
}
