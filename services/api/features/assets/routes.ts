import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { favoriteRoutes } from "#services/api/features/assets/favorite-routes.ts";
import { recentlyViewedRoutes } from "#services/api/features/assets/recently-viewed-routes.ts";

/** The operations by which people come back to assets. */
export function assetRoutes(context: Context): Route[] {
  return [...favoriteRoutes(context), ...recentlyViewedRoutes(context)];
}
