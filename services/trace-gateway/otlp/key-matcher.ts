interface Key {
  text: string;
  bytes: Uint8Array;
}

/** Recognises wanted attribute keys in undecoded bytes. Keys are ASCII, at most 127 bytes long. */
export class KeyMatcher {
  /** By length and last byte, which distinguishes nearly all keys. */
  readonly #buckets: (Key[] | undefined)[] = new Array(128 * 128);

  constructor(readonly all: ReadonlySet<string>) {
    for (const text of all) {
      const bytes = new TextEncoder().encode(text);
      if (bytes.length !== text.length || bytes.length === 0 || bytes.length > 127) {
        throw new RangeError(`not a key of an attribute: ${text}`);
      }
      const bucket = bytes.length * 128 + bytes.at(-1)!;
      (this.#buckets[bucket] ??= []).push({ text, bytes });
    }
  }

  /** The key that stands at `start`, if it is wanted. */
  match(buffer: Uint8Array, start: number, length: number): string | null {
    const last = buffer[start + length - 1];
    if (length > 127 || last === undefined || last > 127) return null;
    const bucket = this.#buckets[length * 128 + last];
    if (bucket === undefined) return null;
    for (const key of bucket) {
      let at = 0;
      while (at < length && key.bytes[at] === buffer[start + at]) at++;
      if (at === length) return key.text;
    }
    return null;
  }
}
