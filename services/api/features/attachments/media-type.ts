import { filetypemime } from "magic-bytes.js";

/** What files are, unless their first bytes say otherwise. */
export const unknownType = "application/octet-stream";

/**
 * The recognized types; browsers show all of them without running anything. Any other file is
 * sent as bytes.
 */
export const knownTypes = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
  "application/zip",
  "application/gzip",
];

/** Bytes at the beginning of a file from which its type is detected. */
export const headBytes = 4_096;

/** The type of a file by its first bytes alone; nothing is unpacked or decoded. */
export function mediaTypeOf(head: Uint8Array): string {
  const guessed = new Set(filetypemime(head.subarray(0, headBytes)));
  return knownTypes.find((type) => guessed.has(type)) ?? unknownType;
}
