import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { boundedArray } from "#contract/bounded.ts";
import { AssetKind, assetKinds, AssetRef } from "#contract/catalogue/assets.ts";
import { idParam, type PageQuery, pageWindow, textListQuery } from "#contract/http.ts";
import { badRequest, requireFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { listJson } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

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

/** The kinds that a list shows; none given: all. */
export const assetTypesQuery = textListQuery("asset_types")
  .refine((kinds) => kinds.every((kind) => (assetKinds as readonly string[]).includes(kind)), {
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
  limit(
    "recently viewed",
    "assets of one user",
    { key: "housekeeping.ttl.recently_viewed_max_per_user" },
    "the oldest are removed",
  ),
];

type Deps = Pick<Context, "db" | "config">;

/** Makes an asset a favorite of the actor. Throws 404, and 400 when the actor has as many as there may be. */
export function addFavorite(context: Deps, actor: Actor, asset: AssetRef): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await requireAsset(tx, asset);
    const { username, provider } = markOwnerOf(actor);
    await countAlone(tx, `favorites of ${JSON.stringify([provider, username])}`);
    const { asset_kind: kind, asset_id: id } = asset;
    const added = await tx.query(addFavorites[kind], [username, provider, id, maxFavorites]);
    if (added.length > 0) return;
    const stored = await tx.query(isFavorite[kind], [username, provider, id]);
    if (stored.length > 0) return;
    throw badRequest(`You have ${maxFavorites} favorites, the most there may be`, [
      { field: "asset_id", message: `must be among your ${maxFavorites} favorites already` },
    ]);
  });
}

/** Records that the actor views an asset now, and forgets what it viewed before the newest ones. Throws 404. */
export function recordViewed(context: Deps, actor: Actor, asset: AssetRef): Promise<void> {
  const max = context.config.housekeeping.ttl.recently_viewed_max_per_user;
  return changing(context, actor, async ({ tx }) => {
    await requireAsset(tx, asset);
    const { username, provider } = markOwnerOf(actor);
    await tx.query(addViewed[asset.asset_kind], [username, provider, asset.asset_id]);
    await tx.query(dropViewed, [username, provider, max]);
  });
}

/** Takes a mark of the actor from an asset, if it has it. Throws 404. */
export function removeMark(
  context: Deps,
  actor: Actor,
  mark: Mark,
  asset: AssetRef,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await requireAsset(tx, asset);
    const { username, provider } = markOwnerOf(actor);
    await tx.query(removals[mark][asset.asset_kind], [username, provider, asset.asset_id]);
  });
}

/** Whose marks an actor has: everyone who is not signed in shares them, under empty names. */
const markOwnerOf = ({ name, provider }: Actor) => ({
  username: name ?? "",
  provider: name === null ? "" : provider,
});

/** The two kinds of marks: their table, and the column with their time. */
const marks = {
  favorite: { table: "favorite", at: "added_at" },
  viewed: { table: "recently_viewed", at: "last_viewed_at" },
};
type Mark = keyof typeof marks;

/** The column of a mark that names an asset of a kind, and where such assets are. */
const assetTables = {
  DATA_ENTITY: { column: "entity_id", from: "data_entity a WHERE a.id = $1 AND NOT a.hollow" },
  TERM: { column: "term_id", from: "term a WHERE a.id = $1" },
  QUERY_EXAMPLE: { column: "example_id", from: "query_example a WHERE a.id = $1" },
};

/** A statement for each kind of asset; `written` gives its text. */
function perKind(name: string, written: (of: { column: string; from: string }) => string) {
  const of = (kind: AssetKind, short: string) =>
    statement(`${name}-${short}`)`${written(assetTables[kind])}`;
  return {
    DATA_ENTITY: of("DATA_ENTITY", "entity"),
    TERM: of("TERM", "term"),
    QUERY_EXAMPLE: of("QUERY_EXAMPLE", "example"),
  };
}

const kindNames: Record<AssetKind, string> = {
  DATA_ENTITY: "Data entity",
  TERM: "Term",
  QUERY_EXAMPLE: "Query example",
};

// A purge locks entities FOR UPDATE: this waits for it, and then finds a hollow one.
const lock = perKind("asset-hold", ({ from }) => `SELECT FROM ${from} FOR KEY SHARE OF a`);

/** Keeps an asset from being purged or deleted until the transaction ends. Throws 404. */
async function requireAsset(tx: Transaction, { asset_kind: kind, asset_id: id }: AssetRef) {
  requireFound(await tx.query(lock[kind], [id]), kindNames[kind], id);
}

const uniqueKey = (column: string) => `(${column}, username, provider) WHERE ${column} IS NOT NULL`;

const addFavorites = perKind("favorite-add", ({ column }) => `
  INSERT INTO favorite (username, provider, ${column})
  SELECT $1, $2, $3
   WHERE (SELECT count(*) FROM favorite WHERE username = $1 AND provider = $2) < $4
  ON CONFLICT ${uniqueKey(column)} DO NOTHING RETURNING id`);

const isFavorite = perKind("favorite-there", ({ column }) => `
  SELECT FROM favorite WHERE username = $1 AND provider = $2 AND ${column} = $3`);

const addViewed = perKind("recently-viewed-add", ({ column }) => `
  INSERT INTO recently_viewed AS v (username, provider, ${column}) VALUES ($1, $2, $3)
  ON CONFLICT ${uniqueKey(column)}
  DO UPDATE SET last_viewed_at = greatest(v.last_viewed_at, excluded.last_viewed_at)`);

// A row that another request is just about to renew is passed over.
const dropViewed = statement("recently-viewed-drop")`
  DELETE FROM recently_viewed WHERE id = ANY(ARRAY(
    SELECT v.id FROM recently_viewed v JOIN (
      SELECT id, last_viewed_at FROM recently_viewed WHERE username = $1 AND provider = $2
       ORDER BY last_viewed_at DESC, id DESC OFFSET $3) old
        ON old.id = v.id AND old.last_viewed_at = v.last_viewed_at
     FOR UPDATE OF v SKIP LOCKED))`;

const removal = (mark: Mark) =>
  perKind(`${mark}-remove`, ({ column }) => `
  DELETE FROM ${marks[mark].table} WHERE username = $1 AND provider = $2 AND ${column} = $3`);
const removals = { favorite: removal("favorite"), viewed: removal("viewed") };

const statusStatement = (mark: Mark, more: string) => {
  const { table } = marks[mark];
  return statement<JsonRow>(`${mark}-status`)`
  SELECT coalesce(json_agg(json_build_object('asset_kind', w.kind, 'asset_id', w.id${more})
                           ORDER BY w.place), '[]')::text AS json
    FROM (SELECT kind, id, min(place) AS place
            FROM unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS given (kind, id, place)
           GROUP BY kind, id) w
    JOIN LATERAL (
      SELECT m.* FROM ${table} m
       WHERE m.username = $1 AND m.provider = $2 AND w.kind = 'DATA_ENTITY' AND m.entity_id = w.id
      UNION ALL
      SELECT m.* FROM ${table} m
       WHERE m.username = $1 AND m.provider = $2 AND w.kind = 'TERM' AND m.term_id = w.id
      UNION ALL
      SELECT m.* FROM ${table} m
       WHERE m.username = $1 AND m.provider = $2 AND w.kind = 'QUERY_EXAMPLE' AND m.example_id = w.id
    ) m ON asset_shown(m.entity_id)`;
};
const statuses = {
  favorite: statusStatement("favorite", ""),
  viewed: statusStatement("viewed", ", 'last_viewed_at', iso(m.last_viewed_at)"),
};

/** Those of these assets that have the actor's mark and are shown, each once, in the order given; as JSON text. */
export async function markedOf(
  { db }: Deps,
  actor: Actor,
  mark: Mark,
  assets: AssetRef[],
): Promise<string> {
  const { username, provider } = markOwnerOf(actor);
  const kinds = assets.map(({ asset_kind }) => asset_kind);
  const ids = assets.map(({ asset_id }) => asset_id);
  return (await db.query(statuses[mark], [username, provider, kinds, ids]))[0]!.json;
}

const listStatement = (mark: Mark, json: string) => {
  const { table, at } = marks[mark];
  const found = `${table} m
     WHERE m.username = $1 AND m.provider = $2 AND asset_shown(m.entity_id)
       AND ($5::text[] IS NULL OR m.entity_id IS NOT NULL AND 'DATA_ENTITY' = ANY($5)
         OR m.term_id IS NOT NULL AND 'TERM' = ANY($5)
         OR m.example_id IS NOT NULL AND 'QUERY_EXAMPLE' = ANY($5))
       AND ($6::timestamptz IS NULL OR m.${at} >= $6) AND ($7::timestamptz IS NULL OR m.${at} <= $7)`;
  return statement<JsonRow>(`${mark}-list`)`
  SELECT ${
    listJson({
      each: json,
      by: `m.${at} DESC, m.id DESC`,
      from: `(SELECT m.* FROM ${found} ORDER BY m.${at} DESC, m.id DESC LIMIT $3 OFFSET $4) m`,
      total: "t.total",
      window: ["$3", "$4"],
    })
  }::text AS json
    FROM (SELECT count(*) AS total FROM ${found}) t`;
};
const assetJson = "json_asset(m.entity_id, m.term_id, m.example_id, $8)";
const lists = {
  favorite: listStatement("favorite", assetJson),
  viewed: listStatement(
    "viewed",
    `json_join(${assetJson}, json_build_object('last_viewed_at', iso(m.last_viewed_at)))`,
  ),
};

/** What a list of marks is narrowed by. */
interface MarksQuery extends PageQuery {
  asset_types: AssetKind[];
  viewed_after?: string;
  viewed_before?: string;
}

/** One page of what the actor has marked, the newest first, deleted entities left out; as JSON text. */
export async function listMarks(
  context: Deps,
  actor: Actor,
  mark: Mark,
  { asset_types, viewed_after, viewed_before, ...page }: MarksQuery,
): Promise<string> {
  const { username, provider } = markOwnerOf(actor);
  const { limit, offset } = pageWindow(page);
  const kinds = asset_types.length > 0 ? asset_types : null;
  const viewed = [viewed_after ?? null, viewed_before ?? null];
  const values = [username, provider, limit, offset, kinds, ...viewed, staleDays(context)];
  return (await context.db.query(lists[mark], values))[0]!.json;
}
