import { z } from "@hono/zod-openapi";
import { RecentlyViewedAssetList, RecentlyViewedRefList } from "#contract/catalogue/assets.ts";
import { pageQuery, timeQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, okJson } from "#platform/operations/reply.ts";
import {
  assetParams,
  AssetRefList,
  assetTypesQuery,
} from "#services/api/features/assets/service.ts";
import * as service from "#services/api/features/assets/service.ts";

const common = { tag: "recently_viewed", document: "platform", access: "signed-in" } as const;
const one = {
  ...common,
  path: "/api/recently-viewed/{asset_kind}/{asset_id}",
  activity: { none: "viewed assets are private" },
  params: assetParams,
  errors: [404],
};

const recordSpec = operation({
  ...one,
  id: "recordRecentlyViewed",
  method: "post",
  summary: "Note that the caller views an asset now; reading an asset alone notes nothing",
  responses: { 204: { description: "It is what the caller viewed last" } },
});

const removeSpec = operation({
  ...one,
  id: "removeRecentlyViewed",
  method: "delete",
  summary: "Forget that the caller viewed an asset",
  responses: { 204: { description: "It is forgotten" } },
});

const statusSpec = operation({
  ...common,
  id: "getRecentlyViewedStatus",
  method: "post",
  path: "/api/recently-viewed/status",
  summary: "Which of these assets the caller has viewed, and when last",
  activity: { none: "it only reads" },
  reads: true,
  body: AssetRefList,
  responses: { 200: { description: "Those that are", schema: RecentlyViewedRefList } },
});

const listSpec = operation({
  ...common,
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
export function recentlyViewedRoutes(context: Context): Route[] {
  return [
    serve(recordSpec, async ({ params, actor }) => {
      await service.recordViewed(context, actor, params);
      return noContent();
    }),
    serve(removeSpec, async ({ params, actor }) => {
      await service.removeMark(context, actor, "viewed", params);
      return noContent();
    }),
    serve(
      statusSpec,
      async ({ body, actor }) => okJson(await service.markedOf(context, actor, "viewed", body)),
    ),
    serve(
      listSpec,
      async ({ query, actor }) => okJson(await service.listMarks(context, actor, "viewed", query)),
    ),
  ];
}
