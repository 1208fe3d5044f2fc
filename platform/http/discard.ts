/** Milliseconds to wait for the rest of a refused body. */
const withinMs = 5_000;

/**
 * Reads the rest of a body, at most `maxBytes`, and discards it. A client that gets its response while it is
 * still sending would see a broken connection and never read the response. Never rejects.
 */
export async function discardBody({ body }: Request, maxBytes: number): Promise<void> {
  if (body && !body.locked) await discardRest(body.getReader(), maxBytes);
}

/** The same for a body that was partly read. */
export async function discardRest(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<void> {
  const giveUp = () => reader.cancel().catch(() => {});
  const late = setTimeout(giveUp, withinMs);
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
