import { deadLetterHeaders as header, ingestionDeadLetters } from "#contract/topics.ts";
import { handledOf, type NotesDatabase } from "#eventlog/postgres/handled.ts";
import type { DeadLetter, EventLog, LogRecord } from "#eventlog/port.ts";

/** Selects dead letters: all, those with one reason, or those with given ids (`<partition>-<offset>`). */
export type Selection = { all: true } | { reason: string } | { ids: string[] };

/** A dead letter as lists show it. */
export interface DeadLetterSummary {
  id: string;
  reason: string;
  message: string;
  origin: string;
  key: string | null;
  bytes: number;
  /** Whether only the beginning of the record was kept. */
  cut: boolean;
  /** ISO 8601. */
  failedAt: string;
}

interface Store {
  events: EventLog;
  db: NotesDatabase;
}

const pageSize = 200;

/** Pages of unhandled dead letters that existed when the function was called. */
export async function* eachDeadLetter(
  { events, db }: Store,
  selection: Selection,
): AsyncGenerator<DeadLetter[]> {
  const wanted = "ids" in selection ? new Set(selection.ids) : undefined;
  const bounds = await events.bounds(ingestionDeadLetters);
  for (const { partition, ...bound } of bounds) {
    const { start, end } = wanted ? narrowed(wanted, partition, bound) : bound;
    for (let from = start; from < end;) {
      const range = { partition, from, to: end, limit: pageSize };
      const records = await events.read(ingestionDeadLetters, range);
      if (records.length === 0) break;
      from = records.at(-1)!.offset + 1;
      const handled = await handledOf(db, partition, records.map((r) => r.offset));
      const page = records
        .filter((record) => !handled.has(record.offset))
        .map(letterOf)
        .filter((letter) => matches(letter, selection, wanted));
      if (page.length > 0) yield page;
    }
  }
}

export const idOf = ({ position }: DeadLetter) => `${position.partition}-${position.offset}`;

export function summary(letter: DeadLetter): DeadLetterSummary {
  const { origin, record } = letter;
  return {
    id: idOf(letter),
    reason: letter.reason,
    message: letter.message,
    origin: `${origin.topic}/${origin.partition}/${origin.offset}`,
    key: record.key,
    bytes: record.value.byteLength,
    cut: record.headers[header.cut] === "true",
    failedAt: timeOf(record),
  };
}

/** When the letter was stored, from its header; else the record's own time (letters of other programs). */
function timeOf({ headers, timestamp }: LogRecord): string {
  const failedAt = new Date(Number(headers[header.failedAt] ?? timestamp));
  return (Number.isNaN(failedAt.getTime()) ? new Date(timestamp) : failedAt).toISOString();
}

function narrowed(ids: Set<string>, partition: number, bound: { start: number; end: number }) {
  const offsets = [...ids]
    .filter((id) => id.startsWith(`${partition}-`))
    .map((id) => Number(id.slice(id.indexOf("-") + 1)))
    .filter((offset) => offset >= bound.start && offset < bound.end);
  if (offsets.length === 0) return { start: 0, end: 0 };
  return { start: Math.min(...offsets), end: Math.max(...offsets) + 1 };
}

function letterOf(record: LogRecord): DeadLetter {
  const { topic, partition, offset, headers } = record;
  return {
    position: { topic, partition, offset },
    origin: {
      topic: headers[header.originTopic] ?? "",
      partition: Number(headers[header.originPartition]),
      offset: Number(headers[header.originOffset]),
    },
    reason: headers[header.reason] ?? "unknown",
    message: headers[header.message] ?? "",
    record,
  };
}

function matches(letter: DeadLetter, selection: Selection, ids: Set<string> | undefined): boolean {
  if (ids) return ids.has(idOf(letter));
  return "reason" in selection ? letter.reason === selection.reason : true;
}
