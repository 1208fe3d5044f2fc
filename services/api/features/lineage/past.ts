import { AppError, badRequest, notFound } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { LineageAnswer } from "#services/api/features/lineage/answer.ts";
import { type PastRoot, rootAt } from "#services/api/features/lineage/queries.ts";

type PastDeps = Pick<Context, "clock" | "config">;

const dayMs = 86_400_000;

/**
 * Refuses a time that is yet to come, or before the history begins; `name` is the parameter. The earliest time is where
 * something was forgotten, or may be at any moment.
 */
export function refuseTime(
  { clock, config }: PastDeps,
  name: string,
  at: string,
  begins: string | null,
): void {
  const now = clock.now();
  const time = Date.parse(at);
  const wrong = (message: string) => badRequest(`${name} ${message}`, [{ field: name, message }]);
  if (time > now) throw wrong("must not lie in the future");
  const retainedSince = now - config.housekeeping.ttl.lineage_history_days * dayMs;
  const earliest = Math.max(retainedSince, begins === null ? -Infinity : Date.parse(begins));
  if (time >= earliest) return;
  throw wrong(`must not be before ${new Date(earliest).toISOString()}, where the history begins`);
}

/** Why there is no root as of a time; null when it was there. The answer names what would help to ask again. */
export function absence(root: PastRoot, at: string, kind: string, id: number): AppError | null {
  const { created_at: created, purged_at: purged, deleted_since: deleted } = root;
  if (created === null) return notFound(kind, id);
  const gone = (said: string, field: string, time: string) =>
    new AppError(`${kind} ${id} ${said} ${time}`, {
      status: 404,
      code: "USR002",
      details: [{ field, message: time }],
    });
  if (purged !== null && at >= purged) return gone("was purged at", "purged_at", purged);
  if (deleted !== null) return gone("was deleted then, since", "deleted_since", deleted);
  if (created > at && !root.touched) {
    return gone("was not there yet: it was created at", "created_at", created);
  }
  return null;
}

/** The root as of a permitted time; 400 for the time, 404 for a root that did not exist. */
export async function rootAsOf(
  context: Context,
  kind: string,
  id: number,
  at: string,
): Promise<PastRoot> {
  refuseTime(context, "as_of", at, null);
  const [root] = await context.db.query(rootAt, [id, at]);
  refuseTime(context, "as_of", at, root!.begins);
  const why = absence(root!, at, kind, id);
  if (why) throw why;
  return root!;
}

/** Refuses a time that the history does not cover; returns the further headers of a response as of it. */
export async function checkPastTime(
  context: PastDeps & Pick<Context, "db">,
  asOf: string,
): Promise<Record<string, string>> {
  refuseTime(context, "as_of", asOf, null);
  const [begins] = await context.db.query(historyBegins);
  refuseTime(context, "as_of", asOf, begins?.at ?? null);
  return pastHeaders(context, asOf);
}

/** When the history begins, as an ISO 8601 text; null when nothing was forgotten. */
const historyBegins = statement<{ at: string | null }>("lineage_history_begins")`
SELECT CASE WHEN isfinite(at) THEN iso(at) END AS at FROM lineage_history_begin`;

/** Milliseconds for which the recorded lineage of a time may still change: its transactions may not have ended yet. */
const unsettledMs = 30_000;

/** Further headers of an answer as of a time; `newest` is the latest time that was requested. */
export function pastHeaders(
  { clock }: PastDeps,
  asOf: string,
  newest = asOf,
): Record<string, string> {
  const unsettled = clock.now() - Date.parse(newest) < unsettledMs;
  return {
    "X-Lineage-As-Of": asOf,
    ...(unsettled ? { "X-Lineage-Unsettled": "true" } : {}),
  };
}

interface ChangesQuestion {
  /** After this time. ISO 8601, UTC, milliseconds. */
  from: string;
  /** Up to this time, itself included; now when it is absent. */
  to: string | undefined;
  /** Only changes with an end in this data source. */
  source: number | undefined;
  /** The place after which to go on, as an earlier answer named it. */
  cursor?: string;
  size: number;
}

/**
 * Most moments looked at for one answer. A moment may turn out to be no change, or one of another data source, so an
 * answer may hold fewer changes than were requested, and a cursor.
 */
export const maxMoments = 2_000;

/** Moments beyond the page size that are read when every data source is requested. */
const spareMoments = 200;

/** LineageChangeList as JSON text: edges that came and went between two times, newest first. */
export async function lineageChanges(
  context: Context,
  query: ChangesQuestion,
): Promise<LineageAnswer> {
  const to = query.to ?? new Date(context.clock.now()).toISOString();
  const last = query.cursor === undefined ? undefined : placeOf(query.cursor);
  refusePeriod(context, query.from, to);
  const [begins] = await context.db.query(historyBegins);
  refuseTime(context, "from", query.from, begins?.at ?? null);
  const high = last && last.at < to ? last.at : to;
  const max = query.source === undefined ? query.size + spareMoments : maxMoments;
  const place = last ?? { at: "infinity", change: "", establisher: 0, parent: 0, child: 0 };
  const { at, change, establisher, parent, child } = place;
  const after = [at, change, establisher, parent, child];
  const values = [query.from, high, max, ...after, query.source ?? null];
  const rows = await context.db.query(changesBetween, values);
  const found = rows.filter((row) => row.json !== null);
  const items = found.slice(0, query.size);
  const unseen = rows.length === max ? rows.at(-1) : null;
  const rest = found.length > items.length ? items.at(-1) : unseen;
  const cursor = rest ? `"${cursorOf(rest)}"` : "null";
  const { "X-Lineage-As-Of": _, ...headers } = pastHeaders(context, query.from, to);
  return {
    json: `{"items":[${items.map(({ json }) => json).join(",")}],"cursor":${cursor}}`,
    headers,
  };
}

/** Refuses a period that is not one, or lies partly in the future. */
export function refusePeriod(context: PastDeps, from: string, to: string): void {
  refuseTime(context, "from", from, null);
  refuseTime(context, "to", to, null);
  if (from < to) return;
  const message = "must be earlier than to";
  throw badRequest(`from ${message}`, [{ field: "from", message }]);
}

type ChangeCursor = Pick<ChangeRow, "at" | "change" | "establisher" | "parent" | "child">;

const cursorForm =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(added|removed)_(\d{1,16})_(\d{1,16})_(\d{1,16})$/;

/** The place that a cursor names; 400 for any other text. */
export function placeOf(cursor: string): ChangeCursor {
  const [, at, change, ...ids] = (cursor.length <= 100 ? cursorForm.exec(cursor) : null) ?? [];
  const [establisher, parent, child] = ids.map(Number);
  const sound = at !== undefined && !Number.isNaN(Date.parse(at)) &&
    ids.map(Number).every(Number.isSafeInteger);
  if (!sound) {
    const message = "must be a cursor of an earlier answer";
    throw badRequest(`cursor ${message}`, [{ field: "cursor", message }]);
  }
  return {
    at,
    change: change as ChangeCursor["change"],
    establisher: establisher!,
    parent: parent!,
    child: child!,
  };
}

export const cursorOf = ({ at, change, establisher, parent, child }: ChangeCursor): string =>
  [at, change, establisher, parent, child].join("_");

/** A change as JSON text, and its place among the changes. */
interface ChangeRow {
  /** Null for a moment at which nothing changed, and for one of another data source. */
  json: string | null;
  at: string;
  change: "added" | "removed";
  establisher: number;
  parent: number;
  child: number;
}

/** The end of an edge: as it is called now, or was when it was purged. */
const endOf = (alias: string) =>
  `SELECT e.id, e.data_source_id,
          '{"id":' || e.id || ',"catrn":' || to_json(e.catrn)::text || ',"name":'
            || coalesce(to_json(coalesce(e.internal_name, e.external_name))::text, 'null') || '}' AS json
     FROM data_entity e WHERE e.id = ${alias}
      AND NOT (e.hollow AND EXISTS (SELECT FROM entity_tombstone t
                 WHERE t.entity_id = e.id AND t.purged_at >= m.at))
   UNION ALL
   (SELECT t.entity_id, s.id,
          '{"id":' || t.entity_id || ',"catrn":' || to_json(t.catrn)::text || ',"name":'
            || coalesce(to_json(coalesce(t.internal_name, t.external_name))::text, 'null')
            || ',"purged":true}'
     FROM entity_tombstone t LEFT JOIN data_source s ON s.catrn = t.source_catrn
    WHERE t.entity_id = ${alias} AND t.purged_at >= m.at
      AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = ${alias} AND NOT e.hollow)
    ORDER BY t.purged_at LIMIT 1)`;

const deletedAsOf = (alias: string) =>
  `EXISTS (SELECT FROM entity_deletion d WHERE d.entity_id = ${alias} AND d.since <= m.standing_at
             AND (d.until IS NULL OR d.until > m.standing_at))`;

/**
 * $1 after, $2 up to, $3 most moments, $4–$8 the place after which (time, change, establisher, parent, child), $9 data
 * source of one of the ends or null. Newest first.
 */
const changesBetween = statement<ChangeRow>("lineage_changes")`
SELECT iso(m.at) AS at, m.change, m.establisher_id AS establisher, m.parent_id AS parent,
       m.child_id AS child,
       CASE WHEN NOT (${deletedAsOf("m.parent_id")}) AND NOT (${deletedAsOf("m.child_id")})
             AND ($9::bigint IS NULL OR p.data_source_id = $9 OR c.data_source_id = $9)
            THEN '{"at":"' || iso(m.at) || '","change":"' || m.change || '","source":' || p.json
              || ',"target":' || c.json || ',"establisher":' || x.json || '}' END AS json
  FROM lineage_moments($1, $2, $3, $4, $5, $6, $7, $8) m
  LEFT JOIN LATERAL (${endOf("m.parent_id")}) p ON true
  LEFT JOIN LATERAL (${endOf("m.child_id")}) c ON true
  LEFT JOIN LATERAL (${endOf("m.establisher_id")}) x ON true
 ORDER BY m.at DESC, m.change, m.establisher_id, m.parent_id, m.child_id`;
