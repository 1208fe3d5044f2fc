import { EventLoopYielder } from "#kit/event-loop.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Reply } from "#platform/operations/reply.ts";
import { readerOf } from "#services/api/features/lineage/service.ts";
import type { Slots } from "#services/api/transfers/slots.ts";
import { streamTexts } from "#services/api/transfers/stream.ts";
import { eventsOf } from "./events.ts";
import { exportMaxWaitMs, exportTimeMs, pieceLength } from "./limits.ts";
import { nextPageAt } from "./past.queries.ts";
import { dataSource, nextPage } from "./queries.ts";
import type { ExportedEntity, PageRow } from "./rows.ts";

export interface ExportDeps extends Pick<Context, "db" | "config" | "clock" | "log"> {
  slots: Slots;
  /** Whose share of the slots is used. */
  caller?: string;
  /** Milliseconds in which the next piece must have been taken. */
  maxWaitMs?: number;
}

export interface ExportQuestion {
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
