export interface DecompressedBody {
  stream: ReadableStream<Uint8Array>;
  /** Resolves once nothing more is taken of the body, so that what is left of it can be read and dropped. Never rejects. */
  ended: Promise<void>;
}

/**
 * A body as it is after decompression. One that is not what it claims to be is left where it broke off, not cancelled:
 * a connection whose body was not read to its end is closed, and would be broken for the next request. `piece`:
 * bytes that are decompressed at once, where what comes of them must not become a large part of the memory.
 */
export function unpacked(body: ReadableStream<Uint8Array>, piece = Infinity): DecompressedBody {
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
