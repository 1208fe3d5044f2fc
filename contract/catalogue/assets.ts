import { z } from "@hono/zod-openapi";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { DataEntityRef, DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { LinkedTermList, TermRef } from "#contract/catalogue/terms.ts";
import { Id, Timestamp } from "#contract/http.ts";

/** `definition` says what a query is for; there is no other name. */
const exampleMembers = { id: Id, definition: z.string(), query: z.string() };

const QueryExampleRef = z.object(exampleMembers).openapi("QueryExampleRef");
export const QueryExampleRefList = pageOf("QueryExampleRefList", QueryExampleRef);

/** Deleted data entities are left out; they come back when they are restored. */
export const QueryExample = z.object({
  ...exampleMembers,
  linked_entities: DataEntityRefList,
  linked_terms: LinkedTermList,
}).openapi("QueryExample");
export const QueryExampleList = pageOf("QueryExampleList", QueryExample);

export const QueryExampleDetails = z.object({
  ...exampleMembers,
  linked_entities: DataEntityList,
  linked_terms: LinkedTermList,
  created_at: Timestamp,
  updated_at: Timestamp,
}).openapi("QueryExampleDetails");

export const assetKinds = ["DATA_ENTITY", "TERM", "QUERY_EXAMPLE"] as const;

/** What people can mark for themselves. */
export const AssetKind = z.enum(assetKinds, { error: `must be one of ${assetKinds.join(", ")}` })
  .openapi("AssetKind");
export type AssetKind = z.output<typeof AssetKind>;

export const AssetRef = z.object({ asset_kind: AssetKind, asset_id: Id }).openapi("AssetRef");
export type AssetRef = z.output<typeof AssetRef>;

/** The member of its kind is filled; the others are null. */
const assetMembers = {
  asset_kind: AssetKind,
  data_entity: optional(DataEntityRef),
  term: optional(TermRef),
  query_example: optional(QueryExampleRef),
};

const FavoriteAsset = z.object(assetMembers).openapi("FavoriteAsset");
export const FavoriteAssetList = pageOf("FavoriteAssetList", FavoriteAsset);

const RecentlyViewedAsset = z.object({ ...assetMembers, last_viewed_at: Timestamp })
  .openapi("RecentlyViewedAsset");
export const RecentlyViewedAssetList = pageOf("RecentlyViewedAssetList", RecentlyViewedAsset);
const RecentlyViewedRef = z.object({
  asset_kind: AssetKind,
  asset_id: Id,
  last_viewed_at: Timestamp,
}).openapi("RecentlyViewedRef");
export const RecentlyViewedRefList = z.array(RecentlyViewedRef).openapi("RecentlyViewedRefList");
