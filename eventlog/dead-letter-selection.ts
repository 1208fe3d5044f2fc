import { deadLetterHeaders as header, ingestionDeadLetters } from "#contract/topics.ts";
import { handledOf, type NotesDatabase } from "#eventlog/postgres/queries.ts";
import type { DeadLetter, EventLog, LogRecord } from "#eventlog/port.ts";

/** Ids of dead letters: `<partition>-<offset>`. */
export const deadLetterId = /^\d{1,9}-\d{1,15}$/;

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
  /** Whether only the beginning of the record was stored. */
  cut: boolean;
  /** ISO 8601. */
  failedAt: string;
}

interface Store {
  events: EventLog;
  db: NotesDatabase;
}

const pageSize = 200;

/** A part of the dead letters that was looked through, in the order of partition and offset. */
interface Stretch {
  /** Id of the last record that was looked at. */
  upto: string;
  /** How many records were looked at. */
  scanned: number;
  /** Those of them that nobody replayed or dropped, and that were selected. */
  deadLetters: DeadLetter[];
}

/**
 * Looks through the dead letters that exist when it is called, after the one with the id `after`. What was selected
 * by ids is looked for where it lies.
 */
export async function* scan(
  { events, db }: Store,
  selection: Selection,
  after?: string,
): AsyncGenerator<Stretch> {
  const wanted = "ids" in selection ? new Set(selection.ids) : undefined;
  const bounds = await events.bounds(ingestionDeadLetters);
  for (const { partition, ...bound } of bounds) {
    const left = goingOn(after, partition, bound);
    const { start, end } = wanted ? narrowed(wanted, partition, left) : left;
    for (let from = start; from < end;) {
      const range = { partition, from, to: end, limit: pageSize };
      const records = await events.read(ingestionDeadLetters, range);
      if (records.length === 0) break;
      from = records.at(-1)!.offset + 1;
      const handled = await handledOf(db, partition, records.map((r) => r.offset));
      const deadLetters = records
        .filter((record) => !handled.has(record.offset))
        .map(deadLetterOf)
        .filter((deadLetter) => matches(deadLetter, selection, wanted));
      yield { upto: `${partition}-${from - 1}`, scanned: records.length, deadLetters };
    }
  }
}

/** Pages of selected, unhandled dead letters that existed when the function was called. */
export async function* eachDeadLetter(
  store: Store,
  selection: Selection,
): AsyncGenerator<DeadLetter[]> {
  for await (const { deadLetters } of scan(store, selection)) {
    if (deadLetters.length > 0) yield deadLetters;
  }
}

/** What is done at once, where somebody waits for it. */
export interface Share {
  /** Begins after the letter with this id. */
  after?: string;
  /** Most letters. */
  max: number;
}

/** Records that are looked at for one share, and milliseconds after which no further page is: passing over what was handled takes time, too. */
const scanBatchSize = 10_000;
const shareMs = 10_000;

/**
 * Hands selected, unhandled dead letters to `each`, a page at a time, since records are large. Returns the id to go
 * on after, or null when nothing is left.
 */
export async function shareOf(
  store: Store,
  selection: Selection,
  { after, max }: Share,
  each: (deadLetters: DeadLetter[]) => Promise<void> | void,
): Promise<string | null> {
  const begun = performance.now();
  let [left, scanned, last] = [max, 0, after ?? null];
  for await (const { deadLetters, upto, scanned: read } of scan(store, selection, after)) {
    const taken = deadLetters.slice(0, left);
    if (taken.length > 0) await each(taken);
    if (taken.length > 0) last = idOf(taken.at(-1)!);
    if (taken.length < deadLetters.length) return last;
    left -= taken.length;
    scanned += read;
    if (scanned >= scanBatchSize || performance.now() - begun > shareMs) return upto;
  }
  return null;
}

export const idOf = ({ position }: DeadLetter) => `${position.partition}-${position.offset}`;

export function summary(deadLetter: DeadLetter): DeadLetterSummary {
  const { origin, record } = deadLetter;
  return {
    id: idOf(deadLetter),
    reason: deadLetter.reason,
    message: deadLetter.message,
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

/** What of a partition lies after the letter with the id `after`. */
function goingOn(
  after: string | undefined,
  partition: number,
  bound: { start: number; end: number },
) {
  if (after === undefined) return bound;
  const [of, offset] = after.split("-").map(Number);
  if (partition < of!) return { start: bound.end, end: bound.end };
  return partition > of! ? bound : { ...bound, start: Math.max(bound.start, offset! + 1) };
}

function narrowed(ids: Set<string>, partition: number, bound: { start: number; end: number }) {
  const offsets = [...ids]
    .filter((id) => id.startsWith(`${partition}-`))
    .map((id) => Number(id.slice(id.indexOf("-") + 1)))
    .filter((offset) => offset >= bound.start && offset < bound.end);
  if (offsets.length === 0) return { start: 0, end: 0 };
  return { start: Math.min(...offsets), end: Math.max(...offsets) + 1 };
}

function deadLetterOf(record: LogRecord): DeadLetter {
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

function matches(
  deadLetter: DeadLetter,
  selection: Selection,
  ids: Set<string> | undefined,
): boolean {
  if (ids) return ids.has(idOf(deadLetter));
  return "reason" in selection ? deadLetter.reason === selection.reason : true;
}
