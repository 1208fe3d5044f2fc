import { Buffer } from "node:buffer";
import {
  batchHeaders,
  deadLetterHeaders as header,
  ingestionDeadLetters,
} from "#contract/topics.ts";
import type { ErrorDetail } from "#kit/errors.ts";
import {
  type DeadLetterSummary,
  eachDeadLetter,
  idOf,
  type Selection,
  summary,
} from "#eventlog/dead-letter-selection.ts";
import { markHandled, type NotesDatabase } from "#eventlog/postgres/handled.ts";
import type { DeadLetter, EventLog, LogRecord, NewRecord, Position } from "#eventlog/port.ts";

export { forgetHandled } from "#eventlog/postgres/handled.ts";

/** Where dead letters are, and where is noted what became of them. */
export interface DeadLetterStore {
  events: EventLog;
  db: NotesDatabase;
}

/** A record that cannot be applied, as it should be replayed one day. */
export interface Refused {
  topic: string;
  record: LogRecord;
  /** Short stable word. */
  reason: string;
  message: string;
  details: ErrorDetail[];
}

const publishMs = 15_000;
/** Kept of a record that is refused for its size. */
const keptOfOversize = 64 * 1024;
const oversize = new Set(["record_too_large", "body_too_large"]);

/**
 * Puts a record to the dead letters; resolves when that is durable. The record keeps its key, headers,
 * identity and time of receipt, so a replay has no second effect and undoes nothing newer. Of one that
 * was refused for its size the first 64 kB are kept. Rejects with 503 when the log is down.
 */
export async function deadLetter(events: EventLog, refused: Refused): Promise<Position> {
  const { record } = refused;
  const cut = oversize.has(refused.reason) && record.value.byteLength > keptOfOversize;
  const letter: NewRecord = {
    key: record.key,
    value: cut ? record.value.subarray(0, keptOfOversize) : record.value,
    headers: {
      ...withIdentity(record),
      ...reasonHeaders(refused),
      ...(cut && { [header.cut]: "true" }),
    },
  };
  const [position] = await events.publish(ingestionDeadLetters, [letter], { timeoutMs: publishMs });
  return position!;
}

/** The dead letters that nobody replayed or dropped, at most `limit`, by partition and offset. */
export async function listDeadLetters(
  store: DeadLetterStore,
  selection: Selection,
  limit = 100,
): Promise<DeadLetterSummary[]> {
  const found: DeadLetterSummary[] = [];
  for await (const page of eachDeadLetter(store, selection)) {
    found.push(...page.slice(0, limit - found.length).map(summary));
    if (found.length === limit) break;
  }
  return found;
}

export interface Replayed {
  replayed: number;
  /** Ids of those of which too little was kept to replay them. */
  skipped: string[];
}

/**
 * Puts selected dead letters back to the topic that they came from, with their own key and headers.
 * Should it be interrupted, some may be put back twice when it is repeated; none is lost.
 */
export async function replayDeadLetters(
  store: DeadLetterStore,
  selection: Selection,
  onProgress: (replayed: number) => void = () => {},
): Promise<Replayed> {
  const outcome: Replayed = { replayed: 0, skipped: [] };
  for await (const page of eachDeadLetter(store, selection)) {
    const whole = page.filter(({ record }) => record.headers[header.cut] !== "true");
    outcome.skipped.push(...page.filter((letter) => !whole.includes(letter)).map(idOf));
    for (const [topic, letters] of Map.groupBy(whole, ({ origin }) => origin.topic)) {
      const records = letters.map(originalOf);
      await store.events.publish(topic, records, { timeoutMs: publishMs });
      await markHandled(store.db, letters.map((l) => l.position), "replayed");
      onProgress(outcome.replayed += letters.length);
    }
  }
  return outcome;
}

/** Marks selected dead letters as dealt with; tells how many. They stay in the log until its retention. */
export async function dropDeadLetters(
  store: DeadLetterStore,
  selection: Selection,
): Promise<number> {
  let dropped = 0;
  for await (const page of eachDeadLetter(store, selection)) {
    await markHandled(store.db, page.map((l) => l.position), "dropped");
    dropped += page.length;
  }
  return dropped;
}

export interface Range {
  topic: string;
  partition: number;
  from: number;
  /** Exclusive. */
  to: number;
}

/**
 * Publishes the records of a range again, as they were; tells how many. Those that a consumer already
 * applied keep their identity and have no second effect.
 */
export async function replayRange(events: EventLog, range: Range): Promise<number> {
  const { topic, partition } = range;
  const end = (await events.bounds(topic)).find((b) => b.partition === partition)?.end ?? 0;
  const to = Math.min(range.to, end);
  let replayed = 0;
  for (let from = range.from; from < to;) {
    const records = await events.read(topic, { partition, from, to, limit: 200 });
    if (records.length === 0) break;
    const again = records.map((r) => ({ key: r.key, value: r.value, headers: withIdentity(r) }));
    await events.publish(topic, again, { timeoutMs: publishMs });
    replayed += records.length;
    from = records.at(-1)!.offset + 1;
  }
  return replayed;
}

/** A record that a collector wrote itself is identified by where it first stood. */
function withIdentity(record: LogRecord): Record<string, string> {
  if (record.headers[batchHeaders.batch] !== undefined) return record.headers;
  return {
    ...record.headers,
    [batchHeaders.batch]: `${record.topic}/${record.partition}/${record.offset}`,
    [batchHeaders.part]: "0",
    [batchHeaders.parts]: "1",
    [batchHeaders.receivedAt]: String(record.timestamp),
  };
}

function reasonHeaders({ topic, record, reason, message, details }: Refused) {
  return {
    [header.reason]: reason,
    [header.message]: message.slice(0, 2_000).toWellFormed(),
    [header.details]: detailsText(details),
    [header.originTopic]: topic,
    [header.originPartition]: String(record.partition),
    [header.originOffset]: String(record.offset),
    [header.failedAt]: String(Date.now()),
  };
}

/** As many details as 8 kB hold; always whole JSON. */
function detailsText(details: ErrorDetail[]): string {
  const kept: string[] = [];
  let bytes = 2;
  for (const detail of details) {
    const text = JSON.stringify(detail);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > 8 * 1024) break;
    kept.push(text);
  }
  return `[${kept.join(",")}]`;
}

function originalOf({ record }: DeadLetter): NewRecord {
  const ours = new Set<string>(Object.values(header));
  const headers = Object.entries(record.headers).filter(([name]) => !ours.has(name));
  return { key: record.key, value: record.value, headers: Object.fromEntries(headers) };
}
