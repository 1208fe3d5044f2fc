import { createHash } from "node:crypto";
import { maxCatrnBytes } from "#contract/entities.ts";

/** Longest segment of a CATRN, bytes; three of them and what is between stay within a CATRN. */
const maxSegmentBytes = 300;

const encoder = new TextEncoder();

// deno-lint-ignore no-control-regex -- control characters are what has to go
const unfit = /[%/\\\u0000-\u001f\u007f]/g;

/**
 * A name as one segment of our own CATRNs. Letters of all scripts and spaces stay; `%`, `/`, `\` and control
 * characters are percent-encoded, so that two names never make one CATRN. What is longer than 300
 * bytes keeps its beginning and ends in `~` and a digest of the whole.
 */
export function segment(name: string): string {
  const encoded = name.toWellFormed().replace(
    unfit,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return cutTo(encoded === "" ? "%" : encoded, maxSegmentBytes);
}

/** What a segment ends in that was cut. */
const cutEnd = /~[0-9a-f]{16}$/;

/** The name that `segment` was given; undefined when it was cut, as far as that shows, or is no such segment. */
export function nameOfSegment(text: string): string | undefined {
  if (text === "%") return "";
  // A character has four bytes at most, so that one more would not have fitted.
  const full = encoder.encode(text).length > maxSegmentBytes - 4;
  if (full && cutEnd.test(text)) return undefined;
  const name = text.replace(
    /%([0-9A-F]{2})/g,
    (_, code) => String.fromCharCode(parseInt(code, 16)),
  );
  return segment(name) === text ? name : undefined;
}

/** At most `bytes` bytes of UTF-8; what is cut is replaced by `~` and a digest of the whole. */
export function cutTo(text: string, bytes = maxCatrnBytes): string {
  // Each UTF-16 unit takes three bytes at most: no need to encode what is short.
  if (text.length * 3 <= bytes || encoder.encode(text).length <= bytes) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  let retained = "";
  let size = digest.length + 1;
  for (const character of text) {
    size += encoder.encode(character).length;
    if (size > bytes) break;
    retained += character;
  }
  return `${retained}~${digest}`;
}

/** A value as collectors write it into a segment: a slash within a name is two backslashes. */
export function escaped(value: string): string {
  return value.toWellFormed().replaceAll("\0", "").replaceAll("/", "\\\\");
}

/** What `escaped` was given. */
export function unescaped(text: string): string {
  return text.replaceAll("\\\\", "/");
}
