import { deserialize } from "node:v8";
import { draftsFrom } from "#contract/ingestion/drafts.ts";
import {
  inspectJson,
  isWithin,
  type JsonInspection,
  type JsonLimits,
} from "#contract/ingestion/inspect.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { ReadChunkCache } from "#platform/batches-in-process.ts";
import type { ChunkIdentity, DraftedChunk } from "./chunk.ts";
import { read, type ReadRecord } from "./stages/read.ts";

/**
 * Records up to this size in bytes, and within these contents, are read on the event loop: sending
 * them to a thread would cost more.
 */
export const inlineBytes = 1_048_576;
const inlineLimits: JsonLimits = { containers: 20_000, members: 50_000, elements: 50_000 };

/** Milliseconds that reading one record may take. */
export const readTimeoutMs = 60_000;

/** What a thread receives along with a record. */
export interface ReadJob {
  identity: ChunkIdentity;
  /** Result of an earlier inspection, if any. */
  inspected: JsonInspection | undefined;
}

/**
 * Reads records: small ones at once, large ones in a thread that is started on demand; not those that this process has
 * published and read already.
 */
export class RecordReader {
  readonly #read;
  #threads: ThreadPool<ReadJob, ReadRecord<Uint8Array>> | undefined;

  constructor(private readonly metrics: Metrics, private readonly readChunks?: ReadChunkCache) {
    readChunks?.want();
    this.#read = metrics.counter(
      "tributary_ingest_records_read_total",
      "Records of batches, by where they were parsed: cached, in this process, at once or in a thread",
      ["where"],
    );
  }

  /**
   * Runs stages 2 to 4. Chunks are unpacked one at a time, so that a large record does not block the
   * event loop. Throws as `validate` does, and a retryable `AppError` when the thread was aborted.
   */
  async read(body: Uint8Array, identity: ChunkIdentity): Promise<ReadRecord<() => DraftedChunk>> {
    const before = this.#readBefore(body, identity);
    if (before) return before;
    const inspected = body.length <= inlineBytes ? inspectJson(body) : undefined;
    if (inspected && isWithin(inspected, inlineLimits)) {
      this.#read.inc({ where: "at once" });
      return read(body, identity, (drafted) => () => drafted, inspected);
    }
    this.#threads ??= this.#open();
    this.#read.inc({ where: "thread" });
    // Sends a copy: the original is needed if it becomes a dead letter.
    const found = await this.#threads.run({ identity, inspected }, {
      bytes: new Uint8Array(body),
    });
    return {
      ...found,
      chunks: found.chunks.map((chunk) => ({
        ...chunk,
        drafted: () => deserialize(chunk.drafted) as DraftedChunk,
      })),
    };
  }

  /** What the API of this process read when it was posted. */
  #readBefore(
    body: Uint8Array,
    identity: ChunkIdentity,
  ): ReadRecord<() => DraftedChunk> | undefined {
    const found = this.readChunks?.take(identity.batch, identity.part, body);
    if (!found) return undefined;
    this.#read.inc({ where: "before" });
    const { sourceCatrn, itemCount, typeMismatches, drafts } = found;
    const chunk = {
      part: identity.part,
      indexes: Array.from({ length: itemCount }, (_, at) => at),
      typeMismatches,
      drafted: () => ({ identity, sourceCatrn, ...draftsFrom(drafts) }),
    };
    return { sourceCatrn, chunks: [chunk], refused: [] };
  }

  /** Ends the thread; it is started again on demand. */
  stop(): void {
    this.#threads?.stop();
    this.#threads = undefined;
  }

  #open(): ThreadPool<ReadJob, ReadRecord<Uint8Array>> {
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
