import { AppError, badRequest, unavailable } from "#kit/errors.ts";
import { discardBody, discardRest } from "#platform/http/discard.ts";

/** Bodies of one process that are being read or prepared, in units of the largest one. */
export const maxHeldBodies = 8;
/** Milliseconds that a client has to send its body. */
export const readTimeoutMs = 60_000;

/** A fault of the client that the contract reports as a server error; never worth a retry. */
export function ingestionFault(
  message: string,
  details: { field: string; message: string }[] = [],
): AppError {
  return new AppError(message, { status: 500, code: "SYS001", retryable: false, details });
}

/** Reads bodies with a limit for each and one for all that are held at once. */
export class BodyReader {
  #held = 0;

  /** `tooLarge` makes the error of a body over the limit: unless told, the contract's server error. */
  constructor(
    private readonly maxBytes: number,
    private readonly tooLarge: (message: string) => AppError = ingestionFault,
  ) {}

  /**
   * Hands the body (unzipped when it is sent with `content-encoding: gzip`) to `use` and counts it as
   * held until `use` is done. Throws the fault of a body over the limit, 400 for a broken one, 415 for
   * another encoding, 503 when too much is held.
   */
  async read<T>(request: Request, use: (body: Uint8Array) => Promise<T>): Promise<T> {
    const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
    if (encoding !== "identity" && encoding !== "gzip") {
      await discardBody(request, this.maxBytes);
      throw new AppError(`Content encoding ${encoding} is not supported; send gzip or none`, {
        status: 415,
        code: "USR001",
        resolvable: true,
      });
    }
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      this.#held += bytes;
      if (this.#held > maxHeldBodies * this.maxBytes) {
        throw unavailable("Too many large bodies are being taken in", 1);
      }
    };
    try {
      return await use(await this.#collect(request, encoding === "gzip", hold));
    } finally {
      this.#held -= held;
    }
  }

  async #collect(request: Request, gzip: boolean, hold: (bytes: number) => void) {
    if (!request.body) return new Uint8Array();
    const chunks: Uint8Array[] = [];
    let size = 0;
    const stream = gzip
      ? request.body.pipeThrough(new DecompressionStream("gzip") as never)
      : request.body;
    const reader = (stream as ReadableStream<Uint8Array>).getReader();
    for await (const chunk of chunksOf(reader)) {
      size += chunk.length;
      if (size > this.maxBytes) {
        await discardRest(reader, gzip ? this.maxBytes : 10 * this.maxBytes);
        throw this.tooLarge(`The body is larger than ${this.maxBytes} bytes`);
      }
      try {
        hold(chunk.length);
      } catch (error) {
        await discardRest(reader, this.maxBytes);
        throw error;
      }
      chunks.push(chunk);
    }
    return joined(chunks, size);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function* chunksOf(reader: Reader): AsyncGenerator<Uint8Array> {
  const deadline = Date.now() + readTimeoutMs;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), deadline - Date.now());
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw badRequest(`The body cannot be read: ${(error as Error).message}`);
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError("The body came too slowly", { status: 408, code: "USR001" })),
      Math.max(0, ms),
    );
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
