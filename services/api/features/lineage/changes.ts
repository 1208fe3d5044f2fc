import { badRequest } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import {
  type ChangeRow,
  changesBetween,
  historyBegins,
  pastHeaders,
  refuseTime,
} from "#services/api/features/lineage/past.ts";
import type { LineageAnswer } from "#services/api/features/lineage/answer.ts";

interface ChangesQuestion {
  /** After this time. ISO 8601, UTC, milliseconds. */
  from: string;
  /** Up to this time, itself included; now when it is absent. */
  to: string | undefined;
  /** Only changes with an end in this data source. */
  source: number | undefined;
  /** The place after which to go on, as an earlier answer named it. */
  cursor: string | undefined;
  size: number;
}

/**
 * Most moments looked at for one answer. A moment may turn out to be no change, or one of another data source, so an answer
 * may hold fewer changes than were requested, and a cursor.
 */
export const maxMoments = 2_000;

/** Moments beyond the page size that are read when every data source is requested. */
const spare = 200;

type ChangeCursor = Pick<ChangeRow, "at" | "change" | "establisher" | "parent" | "child">;

const form =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(added|removed)_(\d{1,16})_(\d{1,16})_(\d{1,16})$/;

/** The place that a cursor names; 400 for any other text. */
export function placeOf(cursor: string): ChangeCursor {
  const [, at, change, ...ids] = (cursor.length <= 100 ? form.exec(cursor) : null) ?? [];
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

/** LineageChangeList as JSON text: edges that came and went between two times, newest first. */
export async function lineageChanges(
  context: Context,
  query: ChangesQuestion,
): Promise<LineageAnswer> {
  const to = query.to ?? new Date(context.clock.now()).toISOString();
  const last = query.cursor === undefined ? undefined : placeOf(query.cursor);
  await refuseTimes(context, query.from, to);
  const high = last && last.at < to ? last.at : to;
  const max = query.source === undefined ? query.size + spare : maxMoments;
  const place = last ?? { at: "infinity", change: "", establisher: 0, parent: 0, child: 0 };
  const values = [
    query.from,
    high,
    max,
    place.at,
    place.change,
    place.establisher,
    place.parent,
    place.child,
    query.source ?? null,
  ];
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

async function refuseTimes(context: Context, from: string, to: string): Promise<void> {
  refuseTime(context, "from", from, null);
  refuseTime(context, "to", to, null);
  if (from >= to) {
    const message = "must be earlier than to";
    throw badRequest(`from ${message}`, [{ field: "from", message }]);
  }
  const [begins] = await context.db.query(historyBegins, []);
  refuseTime(context, "from", from, begins?.at ?? null);
}
