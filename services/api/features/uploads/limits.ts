import type { Limit } from "#kit/limits.ts";

/** Largest part of a file that is taken, in bytes; the rest of it is not needed. */
export const maxPart = 16 * 1024 * 1024;

/** Limits on files that are uploaded to be described. */
export const uploadLimits: Limit[] = [
  {
    entrance: "files to describe",
    bounds: "size of a file, or of the part that is sent, bytes",
    limit: maxPart,
    beyond: "413",
  },
];
