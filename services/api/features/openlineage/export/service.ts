import { EventLoopYielder } from "#kit/event-loop.ts";
import { notFound } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { readerOf } from "#services/api/features/lineage/service.ts";
import { type Slots, streamTexts } from "#services/api/transfers.ts";
import { eventsOf } from "./events.ts";
import { exportMaxWaitMs, exportTimeMs, maxExportedSide, pieceLength } from "./limits.ts";
import {
  dataSource,
  exportable,
  type ExportedEntity,
  isDataset,
  isJob,
  nextPage,
  type PageRow,
} from "./queries.ts";

interface ExportDeps extends Pick<Context, "db" | "config" | "clock" | "log"> {
  slots: Slots;
  /** Whose share of the slots is used. */
  caller?: string;
  /** Milliseconds in which the next piece must have been taken. */
  maxWaitMs?: number;
}

interface ExportQuestion {
  /** Only what is of this data source, as it is today. */
  source: number | undefined;
  /** Lineage as of this time; ISO 8601, UTC, milliseconds. */
  asOf: string | undefined;
}

/**
 * The catalogue as OpenLineage events, one a line, streamed. 404 for an unknown data source, 400 for a time that
 * the history does not tell, 503 when too many exports run, 429 when those of the caller do.
 */
export async function exportEvents(deps: ExportDeps, query: ExportQuestion): Promise<Reply> {
  const { db, clock, log, slots, maxWaitMs = exportMaxWaitMs } = deps;
  const { source, asOf } = query;
  const headers = await readerOf(deps, asOf).checkTime();
  if (source !== undefined && (await db.query(dataSource, [source])).length === 0) {
    throw notFound("data source", source);
  }
  const release = slots.take(deps.caller);
  const texts = piecesOf(deps, query, asOf ?? new Date(clock.now()).toISOString());
  const ended = (error?: unknown) => {
    release();
    if (error !== undefined) log.debug("lineage export ended early", { error });
  };
  const options = { maxWaitMs, timeMs: exportTimeMs, ended };
  const content = await streamTexts(texts, options).catch((error) => {
    release();
    throw error;
  });
  return {
    status: 200,
    raw: { content, contentType: "application/x-ndjson" },
    headers: {
      ...headers,
      "content-disposition": 'attachment; filename="openlineage.ndjson"',
      "x-content-type-options": "nosniff",
    },
  };
}

/** Entities of a page as of a past time; only their lineage is read. */
export const pastEntities = 100;

/** The first record of the type of an entity after a time at which it existed, for one that no longer exists. */
const grave = (id: string) => `
  SELECT t.* FROM entity_tombstone t WHERE t.entity_id = ${id} AND t.purged_at > $3::timestamptz
   ORDER BY t.purged_at LIMIT 1`;

const neighbours = (downstream: boolean) =>
  `coalesce((
    SELECT json_agg(json_build_array(x.catrn, ${isJob("x.class_ids")}) ORDER BY x.catrn)
      FROM (SELECT DISTINCT t.far AS id FROM lineage_touching_at(ARRAY[p.id], ${downstream}, $3) t
             ORDER BY 1 LIMIT ${maxExportedSide + 1}) n
      CROSS JOIN LATERAL (
        SELECT e.catrn, e.class_ids FROM data_entity e WHERE e.id = n.id AND NOT e.hollow
        UNION ALL
        (SELECT g.catrn, g.class_ids FROM (${grave("n.id")}) g)
        UNION ALL
        SELECT e.catrn, e.class_ids FROM data_entity e WHERE e.id = n.id
        LIMIT 1) x
     WHERE x.class_ids = '{}' OR ${exportable("x.class_ids")}), '[]')`;

/**
 * $1 id after which, $2 data source or null for all, $3 the time: the next entities that were there, with the
 * edges that stood. What is purged by now is known by what it was then, as in the lineage of a past time.
 */
const nextPageAt = statement<PageRow>("openlineage-export-past")`
WITH candidate AS MATERIALIZED (
  SELECT * FROM (
    (SELECT e.id, e.catrn, e.class_ids, e.created_at FROM data_entity e
      WHERE e.id > $1 AND NOT e.hollow AND ${exportable("e.class_ids")}
        AND ($2::bigint IS NULL OR e.data_source_id IS NOT DISTINCT FROM $2)
      ORDER BY e.id LIMIT ${pastEntities} + 1)
    UNION ALL
    (SELECT DISTINCT ON (t.entity_id) t.entity_id, t.catrn, t.class_ids, t.created_at
       FROM entity_tombstone t
      WHERE t.entity_id > $1 AND t.purged_at > $3::timestamptz AND ${exportable("t.class_ids")}
        AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = t.entity_id AND NOT e.hollow)
        AND ($2::bigint IS NULL
          OR t.source_catrn = (SELECT s.catrn FROM data_source s WHERE s.id = $2))
      ORDER BY t.entity_id, t.purged_at LIMIT ${pastEntities} + 1)) c
   ORDER BY id LIMIT ${pastEntities} + 1
), page AS MATERIALIZED (
  SELECT * FROM candidate ORDER BY id LIMIT ${pastEntities}
)
SELECT p.id, (SELECT count(*) FROM candidate) > ${pastEntities} AS more,
       CASE WHEN there.is THEN json_build_object(
         'catrn', p.catrn, 'dataset', ${isDataset("p.class_ids")},
         'parents', there.parents, 'children', there.children)::text END AS json
  FROM page p
  CROSS JOIN LATERAL (
    SELECT w.parents, w.children,
           NOT EXISTS (SELECT FROM entity_deletion d
              WHERE d.entity_id = p.id AND d.since <= $3 AND (d.until IS NULL OR d.until > $3))
           AND (p.created_at <= $3 OR w.parents::text <> '[]' OR w.children::text <> '[]') AS is
      FROM (SELECT ${neighbours(false)} AS parents, ${neighbours(true)} AS children) w) there
 ORDER BY p.id`;

const pages = { now: nextPage, at: nextPageAt };

/** Lines of events, in pieces, one at least for each page, which may be empty; a page is read when the one before is written. */
async function* piecesOf(
  deps: ExportDeps,
  { source, asOf }: ExportQuestion,
  eventTime: string,
): AsyncGenerator<string> {
  const yielder = new EventLoopYielder();
  const reader = readerOf(deps, asOf);
  const read = (after: number): Promise<PageRow[]> => reader.read(pages, [after, source ?? null]);
  let piece = "";
  for (let rows = await read(0); rows.length > 0;) {
    for (const { json } of rows) {
      await yielder.yieldWhenDue();
      if (json === null) continue;
      for (const event of eventsOf(JSON.parse(json) as ExportedEntity, eventTime)) {
        piece += `${JSON.stringify(event)}\n`;
      }
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    yield piece;
    piece = "";
    const { more, id } = rows.at(-1)!;
    rows = more ? await read(id) : [];
  }
}
