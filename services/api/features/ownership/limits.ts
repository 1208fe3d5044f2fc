import { type Limit, limit } from "#kit/limits.ts";
import { maxOwners, maxPropagated } from "./schemas.ts";

/** Limits of ownerships. */
export const ownershipLimits: Limit[] = [
  limit("ownership", "owners of a data entity, or of a term", maxOwners),
  limit("ownership of groups", "members that receive it", maxPropagated),
];
