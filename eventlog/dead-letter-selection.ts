import { deadLetterHeaders as header, ingestionDeadLetters } from "#contract/topics.ts";
import type { Database } from "#metadata/database.ts";
import type { DeadLetter, EventLog, LogRecord } from "#eventlog/port.ts";

/** Which dead letters: all, those of one reason, or those named by id (`<partition>-<offset>`). */
export type Selection = { all: true } | { reason: string } | { ids: string[] };

/** What a list shows of a dead letter. */
export interface DeadLetterSummary {
  id: string;
  reason: string;
  message: string;
  origin: string;
  key: string | null;
  bytes: number;
  /** Only the beginning of the record was kept. */
  cut: boolean;
  /** ISO 8601. */
  failedAt: string;
}

interface Store {
  events: EventLog;
  db: Database;
}

const pageSize = 200;

const handledIn = `
  SELECT "offset" FROM dead_letter_handled
  WHERE partition = $1 AND "offset" = ANY ($2::bigint[])`;

const markHandled = `
  INSERT INTO dead_letter_handled (partition, "offset", action)
  SELECT p, o, $3 FROM unnest($1::integer[], $2::bigint[]) AS u (p, o)
  ON CONFLICT DO NOTHING`;

const forgetHandled =
  "DELETE FROM dead_letter_handled WHERE handled_at < to_timestamp($1::float8 / 1000)";

/** Pages of unhandled dead letters that were there when it was called. */
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
      const open = await unhandled(db, partition, records);
      const page = open.map(letterOf).filter((letter) => matches(letter, selection, wanted));
      if (page.length > 0) yield page;
    }
  }
}

/** Notes what became of dead letters; they are not listed any more. */
export async function mark(
  db: Database,
  letters: DeadLetter[],
  action: "replayed" | "dropped",
): Promise<void> {
  await db.query(markHandled, [
    letters.map(({ position }) => position.partition),
    letters.map(({ position }) => position.offset),
    action,
  ]);
}

/** Forgets notes older than `before` (milliseconds since the epoch); housekeeping calls it, after retention. */
export async function forgetHandledDeadLetters(db: Database, before: number): Promise<void> {
  await db.query(forgetHandled, [before]);
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
    failedAt: new Date(Number(record.headers[header.failedAt] ?? record.timestamp)).toISOString(),
  };
}

function narrowed(ids: Set<string>, partition: number, bound: { start: number; end: number }) {
  const offsets = [...ids]
    .filter((id) => id.startsWith(`${partition}-`))
    .map((id) => Number(id.slice(id.indexOf("-") + 1)))
    .filter((offset) => offset >= bound.start && offset < bound.end);
  if (offsets.length === 0) return { start: 0, end: 0 };
  return { start: Math.min(...offsets), end: Math.max(...offsets) + 1 };
}

async function unhandled(db: Database, partition: number, records: LogRecord[]) {
  const offsets = records.map((r) => r.offset);
  const rows = await db.query<{ offset: number }>(handledIn, [partition, offsets]);
  const handled = new Set(rows.map((row) => row.offset));
  return records.filter((r) => !handled.has(r.offset));
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
