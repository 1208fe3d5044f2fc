import { type Limit, limit } from "#kit/limits.ts";
import { maxFavorites, maxRequested } from "./schemas.ts";

/** Limits of what people mark for themselves. */
export const assetLimits: Limit[] = [
  limit("favorites, recently viewed", "assets per request", maxRequested),
  limit("favorites", "of one user", maxFavorites),
  {
    entrance: "recently viewed",
    bounds: "assets of one user",
    limit: { key: "housekeeping.ttl.recently_viewed_max_per_user" },
    beyond: "the oldest are removed",
  },
];
