import type { Limit } from "#kit/limits.ts";

/** What any HTTP request may cost before a route sees it. */
export const httpLimits: Limit[] = [];
