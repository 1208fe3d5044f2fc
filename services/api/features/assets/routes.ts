import { z } from "@hono/zod-openapi";
import {
  FavoriteAssetList,
  RecentlyViewedAssetList,
  RecentlyViewedRefList,
} from "#contract/catalogue/assets.ts";
import { pageQuery, timeQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "#services/api/features/assets/service.ts";
import {
  assetParams,
  AssetRefList,
  assetTypesQuery,
} from "#services/api/features/assets/service.ts";

/** The operations by which people come back to assets. */
export function assetRoutes(context: Context): Route[] {
  return [...favoriteRoutes(context), ...recentlyViewedRoutes(context)];
}

const common = { tag: "favorite", access: "signed-in" } as const;
const one = {
  ...common,
  path: "/api/favorites/{asset_kind}/{asset_id}",
  activity: { none: "favorites are private" },
  params: assetParams,
};

const addSpec = operation({
  ...one,
  id: "addFavorite",
  method: "put",
  summary: "Make an asset a favorite of the caller; harmless when repeated",
  responses: { 204: { description: "It is a favorite" } },
});

const removeSpec = operation({
  ...one,
  id: "removeFavorite",
  method: "delete",
  summary: "Take an asset from the caller's favorites",
  responses: { 204: { description: "It is no favorite" } },
});

const statusSpec = operation({
  ...common,
  id: "getFavoriteStatus",
  method: "post",
  path: "/api/favorites/status",
  summary: "Which of these assets are favorites of the caller",
  activity: { none: "it only reads" },
  reads: true,
  body: AssetRefList,
  responses: { 200: { description: "Those that are", schema: AssetRefList } },
});

const listSpec = operation({
  ...common,
  id: "getFavoritesList",
  method: "get",
  path: "/api/favorites/list",
  summary: "The caller's favorites, the newest first; deleted entities are left out",
  query: z.object({ asset_types: assetTypesQuery, ...pageQuery }),
  responses: { 200: { description: "One page", schema: FavoriteAssetList } },
});

/** The operations on favorites. */
function favoriteRoutes(context: Context): Route[] {
  return [
    serve(addSpec, ({ params, actor }) => service.addFavorite(context, actor, params)),
    serve(
      removeSpec,
      ({ params, actor }) => service.removeMark(context, actor, "favorite", params),
    ),
    serve(statusSpec, ({ body, actor }) => service.markedOf(context, actor, "favorite", body)),
    serve(listSpec, ({ query, actor }) => service.listMarks(context, actor, "favorite", query)),
  ];
}

const viewedCommon = { tag: "recently_viewed", access: "signed-in" } as const;
const viewedOne = {
  ...viewedCommon,
  path: "/api/recently-viewed/{asset_kind}/{asset_id}",
  activity: { none: "viewed assets are private" },
  params: assetParams,
};

const recordViewedSpec = operation({
  ...viewedOne,
  id: "recordRecentlyViewed",
  method: "post",
  summary: "Note that the caller views an asset now; reading an asset alone notes nothing",
  responses: { 204: { description: "It is what the caller viewed last" } },
});

const removeViewedSpec = operation({
  ...viewedOne,
  id: "removeRecentlyViewed",
  method: "delete",
  summary: "Forget that the caller viewed an asset",
  responses: { 204: { description: "It is forgotten" } },
});

const viewedStatusSpec = operation({
  ...viewedCommon,
  id: "getRecentlyViewedStatus",
  method: "post",
  path: "/api/recently-viewed/status",
  summary: "Which of these assets the caller has viewed, and when last",
  activity: { none: "it only reads" },
  reads: true,
  body: AssetRefList,
  responses: { 200: { description: "Those that are", schema: RecentlyViewedRefList } },
});

const listViewedSpec = operation({
  ...viewedCommon,
  id: "getRecentlyViewedList",
  method: "get",
  path: "/api/recently-viewed/list",
  summary: "What the caller has viewed, the newest first; deleted entities are left out",
  query: z.object({
    asset_types: assetTypesQuery,
    viewed_after: timeQuery("viewed_after"),
    viewed_before: timeQuery("viewed_before"),
    ...pageQuery,
  }),
  responses: { 200: { description: "One page", schema: RecentlyViewedAssetList } },
});

/** The operations on what people have viewed. */
function recentlyViewedRoutes(context: Context): Route[] {
  return [
    serve(recordViewedSpec, ({ params, actor }) => service.recordViewed(context, actor, params)),
    serve(
      removeViewedSpec,
      ({ params, actor }) => service.removeMark(context, actor, "viewed", params),
    ),
    serve(viewedStatusSpec, ({ body, actor }) => service.markedOf(context, actor, "viewed", body)),
    serve(listViewedSpec, ({ query, actor }) => service.listMarks(context, actor, "viewed", query)),
  ];
}
