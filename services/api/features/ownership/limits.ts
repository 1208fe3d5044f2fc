import { type Limit, limit } from "#kit/limits.ts";
import { maxPropagated } from "./schemas.ts";

/** Limits of ownerships. */
export const ownershipLimits: Limit[] = [
  limit("ownership of groups", "members that it is handed on to", maxPropagated),
];
