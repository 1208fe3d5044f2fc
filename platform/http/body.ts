import { joinBytes } from "#kit/bytes.ts";
import { AppError, badRequest, clientError, unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { meterOf, smallBody } from "#platform/http/refusals.ts";

/** Memory limit for the bodies that one process holds, in multiples of the largest allowed body. */
export const maxBufferedBodies = 8;

/** Maximum number of bytes of a body that is read in one piece; it counts as buffered only once it is there. */
const maxSmallBody = 16 * 1_024;

interface BodyLimits {
  /** Largest body, after decompression. */
  maxBytes: number;
  /** Milliseconds in which a client must have sent its body. */
  timeoutMs: number;
  /** Creates the error for a body over the limit; default: 400. */
  tooLarge?: (message: string) => AppError;
}

/** 400 for a request without the body that it needs. */
export function missingBody(): AppError {
  return badRequest("A body is required", [{ field: "body", message: "is required" }]);
}

/** Reads bodies, with a limit for each body and one for all buffered bodies. */
export class BodyReader {
  #buffered = 0;

  constructor(private readonly limits: BodyLimits) {}

  /**
   * Passes the body (decompressed for `content-encoding: gzip`) to `use` and counts it as buffered until `use`
   * has ended. Throws the error for a body over the limit, 400 for a missing or broken one, 408 for a slow
   * one, 415 for another encoding, 429 for a large one while its address is throttled, 503 when too much is
   * buffered. `maxBytes` overrides the general limit for this body.
   */
  async read<T>(
    request: Request,
    use: (body: Uint8Array) => Promise<T>,
    maxBytes = this.limits.maxBytes,
  ): Promise<T> {
    const encoding = encodingOf(request);
    if (encoding !== "identity" && encoding !== "gzip") {
      await discardBody(request, maxBytes);
      throw unsupported(encoding);
    }
    let buffered = 0;
    const meter = meterOf(request);
    const reserve = (bytes: number) => {
      buffered += bytes;
      this.#buffered += bytes;
      if (this.#buffered > maxBufferedBodies * Math.max(maxBytes, this.limits.maxBytes)) {
        throw unavailable("Too many large bodies are being taken in", 1);
      }
      meter?.grown(buffered);
    };
    try {
      return await use(await this.#collect(request, encoding === "gzip", maxBytes, reserve));
    } finally {
      this.#buffered -= buffered;
    }
  }

  async #collect(
    request: Request,
    gzip: boolean,
    maxBytes: number,
    reserve: (bytes: number) => void,
  ): Promise<Uint8Array> {
    if (!request.body) throw missingBody();
    const { timeoutMs, tooLarge = badRequest } = this.limits;
    if (!gzip && announcedBytes(request) <= Math.min(maxSmallBody, maxBytes)) {
      const body = await bodyInOneRead(request, timeoutMs);
      if (body.length === 0) throw missingBody();
      reserve(body.length);
      return body;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    const packed = gzip ? unpacked(request.body) : undefined;
    const reader = (packed?.stream ?? request.body).getReader();
    try {
      for await (const chunk of chunksOf(reader, timeoutMs)) {
        size += chunk.length;
        if (size > maxBytes) {
          await discardRest(reader, gzip ? maxBytes : 10 * maxBytes);
          throw tooLarge(`The body is larger than ${maxBytes} bytes`);
        }
        try {
          reserve(chunk.length);
        } catch (error) {
          // A compressed body is not drained as far: decompressing it only to discard it is wasted work.
          await discardRest(reader, gzip ? smallBody : maxBytes);
          throw error;
        }
        chunks.push(chunk);
      }
    } finally {
      await packed?.ended;
    }
    if (size === 0) throw missingBody();
    return joinBytes(chunks, size);
  }
}

function encodingOf({ headers }: Request): string {
  return (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
}

function unsupported(encoding: string): AppError {
  return clientError(415, `Content encoding ${encoding} is not supported; send gzip or none`);
}

/** Length that a request announces of its body, which the server holds it to; Infinity when it announces none. */
function announcedBytes({ headers }: Request): number {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,9}$/.test(length) && !headers.has("transfer-encoding") ? Number(length) : Infinity;
}

/** Half the work of reading a stream, which counts where every request brings one event. */
async function bodyInOneRead(request: Request, timeoutMs: number): Promise<Uint8Array> {
  try {
    return await withTimeout(request.bytes(), timeoutMs, tooSlow);
  } catch (error) {
    throw unreadable(error);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The chunks of a body, which must have come within `timeoutMs`. Throws 408, and 400 when it breaks off. */
async function* chunksOf(reader: Reader, timeoutMs: number): AsyncGenerator<Uint8Array> {
  const deadline = Date.now() + timeoutMs;
  try {
    for (;;) {
      const { done, value } = await withTimeout(
        reader.read(),
        Math.max(0, deadline - Date.now()),
        tooSlow,
      );
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    reader.cancel().catch(() => {});
  }
}

function unreadable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return badRequest(`The body cannot be read: ${(error as Error).message}`);
}

const tooSlow = () => new AppError("The body came too slowly", { status: 408, code: "USR001" });

interface DecompressedBody {
  stream: ReadableStream<Uint8Array>;
  /** Resolves once nothing more is taken of the body, so that what is left of it can be read and dropped. Never rejects. */
  ended: Promise<void>;
}

/**
 * A body as it is after decompression. One that is not what it claims to be is left where it broke off, not cancelled:
 * a connection whose body was not read to its end is closed, and would be broken for the next request. `piece`:
 * bytes that are decompressed at once, where what comes of them must not become a large part of the memory.
 */
function unpacked(body: ReadableStream<Uint8Array>, piece = Infinity): DecompressedBody {
  const { readable, writable } = inPieces(piece);
  const ended = body.pipeTo(writable, { preventCancel: true }).catch(() => {});
  return { stream: readable.pipeThrough(new DecompressionStream("gzip") as never), ended };
}

function inPieces(piece: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (let from = 0; from < chunk.length; from += piece) {
        controller.enqueue(chunk.subarray(from, from + piece));
      }
    },
  });
}

/** Milliseconds to wait for the rest of a refused body. */
const discardMs = 5_000;

/**
 * Reads the rest of a body, at most `maxBytes`, and discards it. A client that gets its response while it is
 * still sending would see a broken connection and never read the response. Never rejects.
 */
export async function discardBody({ body }: Request, maxBytes: number): Promise<void> {
  if (body && !body.locked) await discardRest(body.getReader(), maxBytes);
}

/** The same for a body that was partly read. */
async function discardRest(reader: Reader, maxBytes: number): Promise<void> {
  const giveUp = () => reader.cancel().catch(() => {});
  const late = setTimeout(giveUp, discardMs);
  try {
    for (let left = maxBytes; left >= 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.length;
    }
    await giveUp();
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(late);
  }
}

/** Maximum number of bytes that are still read of a body that was refused. */
const maxDiscarded = 64 * 1_048_576;

/** Bytes decompressed at once, so few that what comes of them cannot become a large part of the memory. */
const gzipPiece = 1_024;

/**
 * The body of a request piece by piece (decompressed for `content-encoding: gzip`), never held as a whole.
 * Throws 413 beyond `maxBytes`, 408 when it takes longer than `timeoutMs`, 415 for another encoding, 400 for a
 * broken or empty one, 429 while its address is throttled.
 */
export async function* streamedBody(
  request: Request,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): AsyncGenerator<Uint8Array> {
  const encoding = encodingOf(request);
  if (!request.body) throw missingBody();
  if (encoding !== "identity" && encoding !== "gzip") throw unsupported(encoding);
  const packed = encoding === "gzip" ? unpacked(request.body, gzipPiece) : undefined;
  const reader = (packed?.stream ?? request.body).getReader();
  const meter = meterOf(request);
  const maxRest = encoding === "gzip" ? smallBody : maxDiscarded;
  const giveUp = () => discardRest(reader, Math.min(maxBytes, maxRest));
  let size = 0;
  try {
    for await (const chunk of chunksOf(reader, timeoutMs)) {
      let taken = false;
      try {
        size += chunk.length;
        meter?.grown(size);
        if (size > maxBytes) throw clientError(413, `The body is larger than ${maxBytes} bytes`);
        yield chunk;
        taken = true;
      } finally {
        // A client that is still sending would never read why it was refused.
        if (!taken) await giveUp();
      }
    }
  } finally {
    await packed?.ended;
  }
  if (size === 0) throw missingBody();
}
