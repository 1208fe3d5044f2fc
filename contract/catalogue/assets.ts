import { z } from "@hono/zod-openapi";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
import { QueryExampleRef } from "#contract/catalogue/query-examples.ts";
import { TermRef } from "#contract/catalogue/terms.ts";
import { Id, Timestamp } from "#contract/http.ts";

export const assetKinds = ["DATA_ENTITY", "TERM", "QUERY_EXAMPLE"] as const;

/** What people can mark for themselves. */
export const AssetKind = z.enum(assetKinds, { error: `must be one of ${assetKinds.join(", ")}` })
  .openapi("AssetKind");
export type AssetKind = z.output<typeof AssetKind>;

export const AssetRef = z.object({ asset_kind: AssetKind, asset_id: Id }).openapi("AssetRef");
export type AssetRef = z.output<typeof AssetRef>;

/** The member of its kind is filled; the others are null. */
const asset = {
  asset_kind: AssetKind,
  data_entity: optional(DataEntityRef),
  term: optional(TermRef),
  query_example: optional(QueryExampleRef),
};

export const FavoriteAsset = z.object(asset).openapi("FavoriteAsset");
export const FavoriteAssetList = pageOf("FavoriteAssetList", FavoriteAsset);

export const RecentlyViewedAsset = z.object({ ...asset, last_viewed_at: Timestamp })
  .openapi("RecentlyViewedAsset");
export const RecentlyViewedAssetList = pageOf("RecentlyViewedAssetList", RecentlyViewedAsset);
export const RecentlyViewedRef = z.object({
  asset_kind: AssetKind,
  asset_id: Id,
  last_viewed_at: Timestamp,
}).openapi("RecentlyViewedRef");
export const RecentlyViewedRefList = z.array(RecentlyViewedRef).openapi("RecentlyViewedRefList");
