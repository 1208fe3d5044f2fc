import type { Limit } from "#kit/limits.ts";

/** What a record of the event log may cost before it goes to the dead letters. */
export const recordLimits: Limit[] = [];
