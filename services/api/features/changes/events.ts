import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChangeEvent, ChangeType } from "#services/api/features/changes/schemas.ts";

/** A cursor in the changes, in the order in which they are sent: after everything up to transaction and number. */
export interface Cursor {
  /** Of 64 bits. */
  xid: bigint;
  id: number;
}

/** A change as it is sent to clients. */
export interface ChangeMessage {
  at: Cursor;
  kind: ChangeType;
  /** The entity that it is about; null: none, or many. */
  entityId: number | null;
  /** When it happened, milliseconds since the epoch. */
  occurredAt: number;
  /** The finished event. */
  text: string;
}

/** What a client subscribes to; without types or entities, everything. */
export interface Filter {
  types: ChangeType[];
  /** Alerts and activity of others are left out; changes of many entities are included. */
  entities: Set<number>;
}

export function wants({ types, entities }: Filter, { kind, entityId }: ChangeMessage): boolean {
  if (types.length > 0 && !types.includes(kind)) return false;
  return entities.size === 0 || entityId === null || entities.has(entityId);
}

/** An event as it is sent; a JSON text has no line breaks. */
export function eventText(data: ChangeEvent, at: Cursor): string {
  return `event: ${data.kind}\nid: ${cursorText(at)}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Advances the cursor of the client without sending anything. */
export const placeText = (at: Cursor): string => `id: ${cursorText(at)}\n\n`;

/** Messages for the rows of one read, in order: all chunks of a data source become one, with the last of them. */
export function messagesOf(rows: ChangeRow[]): ChangeMessage[] {
  const last = new Map<number, ChangeRow>();
  for (const row of rows) if (row.kind === "ingestion") last.set(row.source_id!, joined(row, last));
  const latest = rows.map((row) => row.kind === "ingestion" ? last.get(row.source_id!)! : row);
  return latest.flatMap((row, n) =>
    row.kind !== "beginning" && row.at === rows[n]!.at ? [messageOf(row)] : []
  );
}

type Counts = Record<"new" | "changed" | "unchanged" | "stale", number>;
type IngestedBatch = { position: number; entities: Counts };

function joined(row: ChangeRow, earlier: Map<number, ChangeRow>): ChangeRow {
  const before = earlier.get(row.source_id!)?.details as IngestedBatch | undefined;
  if (!before) return row;
  const { position, entities: now } = row.details as IngestedBatch;
  const { entities: previous } = before;
  const entities: Counts = {
    new: now.new + previous.new,
    changed: now.changed + previous.changed,
    unchanged: now.unchanged + previous.unchanged,
    stale: now.stale + previous.stale,
  };
  return { ...row, details: { position: Math.max(position, before.position), entities } };
}

function messageOf(row: ChangeRow): ChangeMessage {
  const { at, kind, occurred_at, event_type, alert_id, entity_id, source_id } = row;
  const data = {
    kind,
    at: occurred_at,
    ...(event_type !== null && { event_type }),
    ...(alert_id !== null && { alert_id }),
    ...(entity_id !== null && { entity_id }),
    ...(source_id !== null && { source_id }),
    ...row.details,
  } as ChangeEvent;
  return {
    at,
    kind: kind as ChangeType,
    entityId: entity_id,
    occurredAt: Date.parse(occurred_at),
    text: eventText(data, at),
  };
}

/** A row of the table. */
interface ChangeRow {
  at: Cursor;
  /** RFC 3339. */
  occurred_at: string;
  kind: "beginning" | "alert" | "activity" | "ingestion";
  event_type: string | null;
  entity_id: number | null;
  alert_id: number | null;
  source_id: number | null;
  details: Record<string, unknown> | null;
}

/** Changes in order, with what was so when they were read. */
export interface Page {
  rows: ChangeRow[];
  /** Whether there may be more. */
  full: boolean;
  /** Everything up to here has been read: the last row or, of a page that is not full, where new ones begin. */
  position: Cursor;
  /** The oldest retained change that may be read; undefined when there is none. */
  oldest: Cursor | undefined;
  /** Number of the next transaction: rows with a later one were not sent yet. */
  next: bigint;
}

/** The row as it is read; `id` is null when no change was found. */
interface Columns extends Omit<ChangeRow, "at"> {
  oldest_xid: string | null;
  oldest_id: number | null;
  xid: string;
  id: number | null;
}

interface Horizon {
  /** Transactions of this database before this one have ended. */
  edge: string;
  next: string;
}

const horizon = statement<Horizon>("changes-horizon")`
  SELECT edge::text, next::text FROM changes_horizon()`;

/** It must be run after the horizon was read, so that it sees what had ended by then. */
const changesSql = (order: string, condition: string) => `
  SELECT o.xid::text AS oldest_xid, o.id AS oldest_id, c.xid::text, c.id,
         iso(c.occurred_at) AS occurred_at, c.kind, c.event_type, c.entity_id, c.alert_id,
         c.source_id, c.details
    FROM (SELECT $2::xid8 AS edge) e
    LEFT JOIN LATERAL (
      SELECT xid, id FROM change WHERE xid < e.edge ORDER BY xid, id LIMIT 1) o ON true
    LEFT JOIN LATERAL (
      SELECT * FROM change
       WHERE xid < e.edge AND ${condition} ORDER BY ${order} LIMIT $1) c ON true
   ORDER BY c.xid, c.id`;

const changesAfter = statement<Columns>("changes-after")`${
  changesSql("xid, id", "(xid, id) > ($3::xid8, $4::bigint)")
}`;
const newestChanges = statement<Columns>("changes-newest")`${
  changesSql("xid DESC, id DESC", "true")
}`;

/** At most `max` changes after a place. */
export async function readAfter(db: Queryable, cursor: Cursor, max: number): Promise<Page> {
  const [now] = await db.query(horizon);
  const rows = await db.query(changesAfter, [max, now!.edge, `${cursor.xid}`, cursor.id]);
  return pageOf(rows, now!, max);
}

/** The newest changes, at most `max`, in order; `position` is where new ones begin. */
export async function readNewest(db: Queryable, max: number): Promise<Page> {
  const [now] = await db.query(horizon);
  return pageOf(await db.query(newestChanges, [max, now!.edge]), now!, Infinity);
}

function pageOf(columns: Columns[], { edge, next }: Horizon, max: number): Page {
  const [first] = columns;
  const rows = columns.flatMap(({ xid, id, ...row }) =>
    id === null ? [] : [{ ...row, at: { xid: BigInt(xid), id } }]
  );
  const full = rows.length >= max;
  const { oldest_xid, oldest_id } = first!;
  return {
    rows,
    full,
    position: full ? rows.at(-1)!.at : { xid: BigInt(edge), id: 0 },
    oldest: oldest_xid === null ? undefined : { xid: BigInt(oldest_xid), id: oldest_id! },
    next: BigInt(next),
  };
}

const cursorForm = /^(\d{1,19})-(\d{1,16})$/;

/** The cursor that an event's id is; undefined for any other text. */
export function cursorOf(text: string): Cursor | undefined {
  const [, xid, id] = (text.length <= 40 ? cursorForm.exec(text) : null) ?? [];
  if (xid === undefined || id === undefined || !Number.isSafeInteger(Number(id))) return undefined;
  return BigInt(xid) < 2n ** 63n ? { xid: BigInt(xid), id: Number(id) } : undefined;
}

/** A cursor as the id of an event. */
const cursorText = ({ xid, id }: Cursor): string => `${xid}-${id}`;

export function isAfter(one: Cursor, other: Cursor): boolean {
  return one.xid === other.xid ? one.id > other.id : one.xid > other.xid;
}
