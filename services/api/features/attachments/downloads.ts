import { AppError, messageOf } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Context } from "#platform/context.ts";
import { downloadMaxWait, downloadQueue } from "#services/api/features/attachments/limits.ts";
import type { StoredFile } from "#services/api/features/attachments/queries.ts";

type Deps = Pick<Context, "storage" | "log" | "metrics">;

interface Piece {
  key: string;
  /** Bytes. */
  size: number;
}

/** How many are sent, and wait, in all and for one caller. */
type DownloadQueue = { [K in keyof typeof downloadQueue]: number };

/** Downloads of this process that are being sent. */
export class Downloads {
  readonly #queue: ConcurrencyLimiter;

  constructor(
    private readonly deps: Deps,
    queue: DownloadQueue = downloadQueue,
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
   * storage is away or too many downloads wait, 429 when those of the caller do, and 500 for bytes that the storage has lost. Later the stream breaks off,
   * so that fewer bytes come than were announced; it does as well when its reader does not take what was sent.
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

  #stream(
    first: Uint8Array,
    rest: Piece[],
    leave: () => void,
  ): ReadableStream<Uint8Array> {
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
