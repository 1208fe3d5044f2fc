import type { Limit } from "#kit/limits.ts";
import { receiverLimits } from "./receivers/limits.ts";

/** What spans may cost before they are refused or cut. */
export const traceLimits: Limit[] = [...receiverLimits];
