import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { AssetKind, assetKinds, AssetRef } from "#contract/catalogue/assets.ts";
import { idParam, textListQuery } from "#contract/http.ts";

/** Maximum number of assets per request. */
export const maxRequested = 1_000;
/** Maximum number of favorites of one user. */
export const maxFavorites = 10_000;

/** Requested assets, and the response. */
export const AssetRefList = boundedArray(AssetRef, maxRequested).openapi("AssetRefList");

/** The asset that the path names. */
export const assetParams = z.object({
  asset_kind: AssetKind.openapi({ param: { name: "asset_kind", in: "path", required: true } }),
  asset_id: idParam("asset_id"),
});

const known: readonly string[] = assetKinds;

/** The kinds that a list shows; none given: all. */
export const assetTypesQuery = textListQuery("asset_types")
  .refine((kinds) => kinds.every((kind) => known.includes(kind)), {
    error: `must be among ${assetKinds.join(", ")}`,
  })
  .transform((kinds) => kinds as AssetKind[])
  .openapi({
    param: { name: "asset_types", in: "query", required: false, explode: false, style: "form" },
    type: "array",
    items: { type: "string", enum: [...assetKinds] },
  });
