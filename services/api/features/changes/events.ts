import { type ChangeRow, type Cursor, textOf } from "#services/api/features/changes/queries.ts";
import type { ChangeEvent, ChangeType } from "#services/api/features/changes/schemas.ts";

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
  return `event: ${data.kind}\nid: ${textOf(at)}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Advances the cursor of the client without sending anything. */
export const placeText = (at: Cursor): string => `id: ${textOf(at)}\n\n`;

/** Messages for the rows of one read, in order: all chunks of a data source become one, with the last of them. */
export function messagesOf(rows: ChangeRow[]): ChangeMessage[] {
  const last = new Map<number, ChangeRow>();
  for (const row of rows) if (row.kind === "ingestion") last.set(row.sourceId!, joined(row, last));
  const latest = rows.map((row) => row.kind === "ingestion" ? last.get(row.sourceId!)! : row);
  return latest.flatMap((row, n) =>
    row.kind !== "beginning" && row.at === rows[n]!.at ? [one(row)] : []
  );
}

type Counts = Record<"new" | "changed" | "unchanged" | "stale", number>;
type IngestedBatch = { position: number; entities: Counts };

function joined(row: ChangeRow, earlier: Map<number, ChangeRow>): ChangeRow {
  const before = earlier.get(row.sourceId!)?.details as IngestedBatch | undefined;
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

function one(row: ChangeRow): ChangeMessage {
  const { at, kind, entityId } = row;
  const data = {
    kind,
    at: row.occurredAt,
    ...(row.eventType === null ? {} : { event_type: row.eventType }),
    ...(row.alertId === null ? {} : { alert_id: row.alertId }),
    ...(entityId === null ? {} : { entity_id: entityId }),
    ...(row.sourceId === null ? {} : { source_id: row.sourceId }),
    ...row.details,
  } as ChangeEvent;
  return {
    at,
    kind: kind as ChangeType,
    entityId,
    occurredAt: Date.parse(row.occurredAt),
    text: eventText(data, at),
  };
}
