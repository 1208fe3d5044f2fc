import { create } from "content-disposition";
import { AppError, messageOf, requireFound } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { takeChunk } from "#services/api/features/attachments/chunks.ts";
import {
  chunkQueue,
  downloadMaxWait,
  downloadQueue,
  startQueue,
} from "#services/api/features/attachments/limits.ts";
import { beginUpload, type UploadRef } from "#services/api/features/attachments/uploads.ts";

/**
 * What moves bytes of files to and fro, in bounded numbers, of which each caller has its share. Throws 503 when too many
 * wait, 429 when those of the caller do.
 */
export function createTransfers(context: Context) {
  const downloads = new Downloads(context);
  const { starts, chunks } = queuesOf(context);
  return {
    /** Begins an upload, in its turn; its id. Throws as `beginUpload`. */
    begin: (actor: Caller, entityId: number, name: string) =>
      starts.run(() => beginUpload(context, actor, entityId, name), callerKey(actor)),
    /** Takes a chunk, in its turn. Throws as `takeChunk`. */
    upload: (actor: Caller, ref: UploadRef, request: Request) =>
      chunks.run(() => takeChunk(context, actor, ref, request), callerKey(actor)),
    /** The file for a browser to save. Throws 404, also for a file of another entity, and as `Downloads`. */
    async download(actor: Caller, entityId: number, id: number): Promise<Reply> {
      const file = requireFound(await context.db.query(storedFile, [entityId, id]), "File", id);
      const headers = {
        "content-disposition": create(file.name),
        "content-length": String(file.size),
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cache-control": "private, no-cache",
      };
      const content = await downloads.open(file, callerKey(actor));
      return { status: 200, raw: { content, contentType: file.media_type }, headers };
    },
  };
}

function queuesOf({ metrics }: Pick<Context, "metrics">) {
  const starts = new ConcurrencyLimiter({
    ...startQueue,
    refused: "Too many uploads are being begun",
    refusedKey: "You begin too many uploads at once",
    waiting: metrics.gauge(
      "tributary_attachment_starts_waiting",
      "Uploads of files waiting to start",
    ),
  });
  const chunks = new ConcurrencyLimiter({
    ...chunkQueue,
    refused: "Too many chunks are being taken",
    refusedKey: "You send too many chunks at once",
    waiting: metrics.gauge(
      "tributary_attachment_chunks_waiting",
      "Chunks of files waiting to be accepted",
    ),
    refusals: metrics.counter(
      "tributary_attachment_chunks_refused_total",
      "Chunks of files refused because too many were waiting, in total or from one caller",
      ["limit"],
    ),
  });
  return { starts, chunks };
}

interface StoredFile {
  name: string;
  media_type: string;
  size: number;
  /** Its pieces in their order. */
  keys: string[];
  sizes: number[];
}

/** A complete file of an entity. */
const storedFile = statement<StoredFile>("attachment-file")`
  SELECT f.name, f.media_type, f.size,
         coalesce(array_agg(p.key::text ORDER BY p.chunk, p.place)
           FILTER (WHERE p.key IS NOT NULL), '{}') AS keys,
         coalesce(array_agg(p.size ORDER BY p.chunk, p.place)
           FILTER (WHERE p.key IS NOT NULL), '{}') AS sizes
    FROM attachment_file f
    JOIN data_entity e ON e.id = f.entity_id AND NOT e.hollow
    LEFT JOIN attachment_piece p ON p.file_id = f.id
   WHERE f.id = $2 AND f.entity_id = $1 AND f.completed_at IS NOT NULL
   GROUP BY f.id`;

interface Piece {
  key: string;
  /** Bytes. */
  size: number;
}

/** Downloads of this process that are being sent. */
export class Downloads {
  readonly #queue: ConcurrencyLimiter;

  constructor(
    private readonly deps: Pick<Context, "storage" | "log" | "metrics">,
    queue: typeof downloadQueue = downloadQueue,
    private readonly maxWaitMs = downloadMaxWait,
  ) {
    const { metrics } = deps;
    this.#queue = new ConcurrencyLimiter({
      ...queue,
      refused: "Too many files are being sent",
      refusedKey: "Too many files are being sent to you",
      waiting: metrics.gauge(
        "tributary_attachment_downloads_waiting",
        "Downloads of files waiting to start",
      ),
      running: metrics.gauge("tributary_attachment_downloads", "Downloads of files in progress"),
      refusals: metrics.counter(
        "tributary_attachment_downloads_refused_total",
        "Downloads of files refused because too many were waiting, in total or from one caller",
        ["limit"],
      ),
    });
  }

  /**
   * The bytes of a file, with one piece at a time in memory. The first one is read immediately: throws 503 while the
   * storage is away or too many downloads wait, 429 when those of the caller do, and 500 for bytes that the storage has
   * lost. Later the stream breaks off, so that fewer bytes come than were announced; it does as well when its reader does
   * not take what was sent.
   */
  async open(file: StoredFile, caller = ""): Promise<ReadableStream<Uint8Array>> {
    const pieces = file.keys.map((key, at) => ({ key, size: file.sizes[at]! }))
      .filter(({ size }) => size > 0);
    const [first, ...rest] = pieces;
    if (!first) return new Blob([]).stream();
    const leave = await this.#queue.enter(caller);
    try {
      return this.#stream(await this.#read(first), rest, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  #stream(first: Uint8Array, rest: Piece[], leave: () => void): ReadableStream<Uint8Array> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let next = 0;
    let buffered: Uint8Array | null = first;
    let ended = false;
    const end = () => {
      clearTimeout(timer);
      leave();
      ended = true;
      buffered = null;
    };
    const wait = (controller: ReadableStreamDefaultController) => {
      timer = setTimeout(() => {
        end();
        controller.error(new Error("The reader of a file does not take it"));
      }, this.maxWaitMs);
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => wait(controller),
      pull: async (controller) => {
        clearTimeout(timer);
        try {
          const piece: Uint8Array = buffered ?? await this.#read(rest[next++]!);
          buffered = null;
          if (ended) return;
          controller.enqueue(piece);
          if (next < rest.length) return wait(controller);
          controller.close();
        } catch (error) {
          this.deps.log.warn("file download failed", { error: messageOf(error) });
          controller.error(error);
        }
        end();
      },
      cancel: end,
    }, new CountQueuingStrategy({ highWaterMark: 0 }));
  }

  async #read({ key, size }: Piece): Promise<Uint8Array> {
    const bytes = await this.deps.storage.get(key);
    if (bytes && bytes.length === size) return bytes;
    this.deps.log.error("attachment storage has lost an object", {
      key,
      wanted: size,
      found: bytes?.length ?? "none",
    });
    throw new AppError("The storage of attachments has lost bytes of this file", {
      status: 500,
      code: "SYS001",
    });
  }
}
