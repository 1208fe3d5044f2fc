import { limit } from "#kit/limits.ts";

/** Milliseconds after which loading ends unfinished. */
export const maxLoadMs = 5 * 60_000;

/** Limits of the demonstration. */
export const demonstrationLimits = [
  limit("POST /api/demonstration", "time to load, ms", maxLoadMs, "loading ends with an error"),
];
