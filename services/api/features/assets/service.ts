import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { AssetKind, assetKinds, AssetRef } from "#contract/catalogue/assets.ts";
import { idParam, type PageQuery, pageWindow, textListQuery } from "#contract/http.ts";
import { boundedArray } from "#contract/bounded.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/counted.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/assets/marks.queries.ts";
import { staleDays } from "#services/api/stale.ts";

type Deps = Pick<Context, "db" | "config">;

const named: Record<AssetKind, string> = {
  DATA_ENTITY: "Data entity",
  TERM: "Term",
  QUERY_EXAMPLE: "Query example",
};

/** Whose marks an actor has: everyone who is not signed in shares them. */
const markOwnerOf = ({ name, provider }: Actor): queries.MarkOwner => ({
  username: name ?? "",
  provider: name === null ? "" : provider,
});

async function lockAsset(tx: Transaction, asset: AssetRef): Promise<void> {
  if (await queries.lockAsset(tx, asset)) return;
  throw notFound(named[asset.asset_kind], asset.asset_id);
}

/** Makes an asset a favorite of the actor. Throws 404, and 400 when the actor has as many as there may be. */
export function addFavorite(context: Deps, actor: Actor, asset: AssetRef): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockAsset(tx, asset);
    const owner = markOwnerOf(actor);
    await countAlone(tx, `favorites of ${JSON.stringify([owner.provider, owner.username])}`);
    if (await queries.insertFavorite(tx, owner, asset, maxFavorites)) return;
    throw badRequest(`You have ${maxFavorites} favorites, the most there may be`, [
      { field: "asset_id", message: `must be among your ${maxFavorites} favorites already` },
    ]);
  });
}

/** Records that the actor views an asset now. Throws 404. */
export function recordViewed(context: Deps, actor: Actor, asset: AssetRef): Promise<void> {
  const max = context.config.housekeeping.ttl.recently_viewed_max_per_user;
  return changing(context, actor, async ({ tx }) => {
    await lockAsset(tx, asset);
    await queries.insertViewed(tx, markOwnerOf(actor), asset, max);
  });
}

/** Takes a mark of the actor from an asset, if it has it. Throws 404. */
export function removeMark(
  context: Deps,
  actor: Actor,
  mark: queries.Mark,
  asset: AssetRef,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockAsset(tx, asset);
    await queries.removeMark(tx, mark, markOwnerOf(actor), asset);
  });
}

/** Those of these assets that have the actor's mark and are shown; as JSON text. */
export function markedOf(
  { db }: Deps,
  actor: Actor,
  mark: queries.Mark,
  assets: AssetRef[],
): Promise<string> {
  return queries.markedOf(db, mark, markOwnerOf(actor), assets);
}

/** What a list of marks is narrowed by. */
interface MarksQuery extends PageQuery {
  asset_types: AssetKind[];
  viewed_after?: string;
  viewed_before?: string;
}

/** One page of what the actor has marked, the newest first; as JSON text. */
export function listMarks(
  context: Deps,
  actor: Actor,
  mark: queries.Mark,
  { asset_types, viewed_after, viewed_before, ...page }: MarksQuery,
): Promise<string> {
  const filter = {
    kinds: asset_types.length > 0 ? asset_types : null,
    after: viewed_after ?? null,
    before: viewed_before ?? null,
  };
  const window = pageWindow(page);
  return queries.markList(context.db, mark, markOwnerOf(actor), filter, window, staleDays(context));
}

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
