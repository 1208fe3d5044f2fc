/** Milliseconds that the rest of a refused body is waited for. */
const withinMs = 5_000;

/**
 * Reads what is left of a body and keeps nothing of it, at most `maxBytes`. A client that is answered
 * while it still sends is cut off: it reports a broken connection and never reads why. Never rejects.
 */
export async function discardBody({ body }: Request, maxBytes: number): Promise<void> {
  if (body && !body.locked) await discardRest(body.getReader(), maxBytes);
}

/** The same for a body of which a part was read already. */
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
    // The client has left.
  } finally {
    clearTimeout(late);
  }
}
