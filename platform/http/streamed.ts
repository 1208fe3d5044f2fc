import { AppError } from "#kit/errors.ts";
import { chunksOf, discardRest, missingBody, unpacked } from "#platform/http/body.ts";
import { meterOf, smallBody } from "#platform/http/refused-bodies.ts";

/** Maximum number of bytes that are still read of a body that was refused. */
const maxDiscarded = 64 * 1_048_576;

/** What is decompressed at once, so small that it cannot become a large part of the memory. */
const piece = 1_024;

/**
 * The body of a request piece by piece (decompressed for `content-encoding: gzip`), never held as a whole.
 * Throws 413 beyond `maxBytes`, 408 when it takes longer than `timeoutMs`, 415 for another encoding, 400 for a
 * broken or empty one, 429 while its address is throttled.
 */
export async function* streamedBody(
  request: Request,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): AsyncGenerator<Uint8Array> {
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (!request.body) throw missingBody();
  if (encoding !== "identity" && encoding !== "gzip") {
    throw refused(415, `Content encoding ${encoding} is not supported; send gzip or none`);
  }
  const packed = encoding === "gzip" ? unpacked(request.body, piece) : undefined;
  const reader = (packed?.stream ?? request.body).getReader();
  const meter = meterOf(request);
  const max = encoding === "gzip" ? smallBody : maxDiscarded;
  const giveUp = () => discardRest(reader, Math.min(maxBytes, max));
  let size = 0;
  try {
    for await (const chunk of chunksOf(reader, timeoutMs)) {
      let taken = false;
      try {
        size += chunk.length;
        meter?.grown(size);
        if (size > maxBytes) throw refused(413, `The body is larger than ${maxBytes} bytes`);
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

function refused(status: number, message: string): AppError {
  return new AppError(message, { status, code: "USR001", resolvable: true });
}
