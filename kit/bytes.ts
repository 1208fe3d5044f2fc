/** The bytes of all chunks in one array of its own; `size`, their number, is counted where it is not known. */
export function joinBytes(
  chunks: readonly Uint8Array[],
  size = chunks.reduce((sum, { length }) => sum + length, 0),
): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The last characters of a stream of text in UTF-8, `length` at most. */
export async function lastText(stream: AsyncIterable<Uint8Array>, length: number): Promise<string> {
  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-length);
  }
  return tail;
}
