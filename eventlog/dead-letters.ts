import { deadLetterHeaders as header, ingestionDeadLetters } from "#contract/topics.ts";
import { PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import {
  type DeadLetterSummary,
  eachDeadLetter,
  idOf,
  type Selection,
  type Share,
  shareOf,
  summary,
} from "#eventlog/dead-letter-selection.ts";
import { deadLettersOf, type RejectedRecord } from "#eventlog/rejected-records.ts";
import { markHandled, type NotesDatabase } from "#eventlog/postgres/queries.ts";
import type { DeadLetter, EventLog, NewRecord, Position } from "#eventlog/port.ts";

export { forgetHandled } from "#eventlog/postgres/queries.ts";
export type { RejectedRecord } from "#eventlog/rejected-records.ts";

/** The log that holds dead letters, and the database that records which were replayed or dropped. */
export interface DeadLetterStore {
  events: EventLog;
  db: NotesDatabase;
}

/** The log that takes dead letters, and the logger and metrics for records that it refuses. */
interface DeadLetterSink {
  events: EventLog;
  log: Logger;
  metrics: Metrics;
}

const publishMs = 15_000;

/**
 * Stores a record as a dead letter; resolves when it is durable. The record keeps its key, headers, identity
 * and time of receipt, so that a replay has no second effect and overwrites nothing newer. When the log
 * refuses the whole record, or the record was refused for its size, only the first 64 kB are stored; when that
 * fails too, only reason and origin. When even that fails the record is skipped, logged and counted, and the
 * result is null. Rejects with 503 when the log is down. Only what is in the first topic of letters can be replayed.
 */
export async function deadLetter(
  box: DeadLetterSink,
  refused: RejectedRecord,
  topic = ingestionDeadLetters,
): Promise<Position | null> {
  let refusal: unknown;
  for (const record of deadLettersOf(refused)) {
    try {
      const [position] = await box.events.publish(topic, [record], { timeoutMs: publishMs });
      return position!;
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      refusal = error;
    }
  }
  passedOver(box, refused, refusal);
  return null;
}

function passedOver(
  { log, metrics }: DeadLetterSink,
  refused: RejectedRecord,
  error: unknown,
): void {
  const { topic, reason, record: { partition, offset } } = refused;
  metrics.counter(
    "tributary_dead_letters_skipped_total",
    "Records skipped because even a dead letter without their content could not be written",
    ["topic"],
  ).inc({ topic });
  log.error("record skipped, it cannot be stored", { topic, partition, offset, reason, error });
}

/** Dead letters neither replayed nor dropped, at most `limit`, ordered by partition and offset. */
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

interface ReplayResult {
  replayed: number;
  /** Ids of letters that cannot be replayed: the record is incomplete, or its topic refuses it. */
  skipped: string[];
}

/**
 * As `replayDeadLetters`, of one share; returns the id to go on after, null when nothing is left. `done` is filled on
 * the way, so that the caller can report what was done before a failure.
 */
export function replayShare(
  store: DeadLetterStore,
  selection: Selection,
  share: Share,
  done: ReplayResult,
): Promise<string | null> {
  return shareOf(store, selection, share, (deadLetters) => replayPage(store, deadLetters, done));
}

/** As `replayShare`, of `dropDeadLetters`. */
export function dropShare(
  store: DeadLetterStore,
  selection: Selection,
  share: Share,
  done: { dropped: number },
): Promise<string | null> {
  return shareOf(store, selection, share, async (deadLetters) => {
    await markHandled(store.db, deadLetters.map((l) => l.position), "dropped");
    done.dropped += deadLetters.length;
  });
}

/**
 * Publishes selected dead letters to their original topic again, with their original key and headers. When it
 * is interrupted and repeated, some may be published twice; none is lost.
 */
export async function replayDeadLetters(
  store: DeadLetterStore,
  selection: Selection,
  onProgress: (replayed: number) => void = () => {},
): Promise<ReplayResult> {
  const outcome: ReplayResult = { replayed: 0, skipped: [] };
  for await (const page of eachDeadLetter(store, selection)) {
    await replayPage(store, page, outcome, onProgress);
  }
  return outcome;
}

async function replayPage(
  store: DeadLetterStore,
  page: DeadLetter[],
  outcome: ReplayResult,
  onProgress: (replayed: number) => void = () => {},
): Promise<void> {
  const whole = page.filter(isWhole);
  outcome.skipped.push(...page.filter((one) => !isWhole(one)).map(idOf));
  for (const deadLetters of Map.groupBy(whole, ({ origin }) => origin.topic).values()) {
    const refused = await putBack(store, deadLetters);
    outcome.skipped.push(...refused.map(idOf));
    onProgress(outcome.replayed += deadLetters.length - refused.length);
  }
}

function isWhole({ origin, record }: DeadLetter): boolean {
  return record.headers[header.cut] !== "true" && origin.topic !== "";
}

/** Publishes letters of one topic again; returns those that the topic refuses. */
async function putBack(
  { events, db }: DeadLetterStore,
  deadLetters: DeadLetter[],
): Promise<DeadLetter[]> {
  const { topic } = deadLetters[0]!.origin;
  try {
    await events.publish(topic, deadLetters.map(originalOf), { timeoutMs: publishMs });
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    if (deadLetters.length === 1) return deadLetters;
    const refused: DeadLetter[] = [];
    for (const one of deadLetters) refused.push(...await putBack({ events, db }, [one]));
    return refused;
  }
  await markHandled(db, deadLetters.map((l) => l.position), "replayed");
  return [];
}

/** Marks selected dead letters as handled; returns how many. They stay in the log until its retention. */
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

function originalOf({ record }: DeadLetter): NewRecord {
  const ours = new Set<string>(Object.values(header));
  const headers = Object.entries(record.headers).filter(([name]) => !ours.has(name));
  return { key: record.key, value: record.value, headers: Object.fromEntries(headers) };
}
