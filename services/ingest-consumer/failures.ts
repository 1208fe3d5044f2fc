import { identityHeaders, kindHeaders } from "#contract/ingestion/frame.ts";
import { scanBatch } from "#contract/ingestion/parse.ts";
import { pickItems } from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { RejectedRecord } from "#eventlog/dead-letters.ts";
import type { LogRecord, Position } from "#eventlog/port.ts";
import { AppError, PermanentError } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";
import { classify, type Database, sqlState } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChunkIdentity } from "./chunk.ts";

/** Another transaction changed what was read before the lock was taken; the chunk must be restarted. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** A shared row (a tag, a hollow entity) was purged after it was created and before it was used. */
const foreignKeyViolation = "23503";
/** A statement timed out: because of load, or because the chunk is too large to ever finish. */
const queryCanceled = "57014";

/**
 * What to do after the transaction failed: `retry` the chunk at once, `refuse` it for good, or
 * `pause` and let the log deliver the record again. `unknown` also pauses, until it has happened so
 * often that the record itself must be the cause.
 */
export function kindOf(error: unknown): "retry" | "refuse" | "pause" | "unknown" {
  if (error instanceof PermanentError) return "refuse";
  const state = sqlState(error) ?? sqlState((error as Error | null)?.cause);
  if (error instanceof Conflict || state === foreignKeyViolation) return "retry";
  if (state === queryCanceled) return "unknown";
  if (error instanceof AppError && error.retryable) return "pause";
  const kind = classify(error);
  return kind === "permanent" ? "refuse" : kind;
}

/** The refusal to report for a failure, without internal details. */
export function refusalOf(error: unknown): PermanentError {
  if (error instanceof PermanentError) return error;
  if (error instanceof AppError && error.status === 400) {
    return new PermanentError("invalid_body", error.message, error.details, error);
  }
  if (classify(error) === "permanent") {
    const message = "The metadata store cannot hold a value of the batch";
    return new PermanentError("data_error", message, [], error);
  }
  return new PermanentError("internal_error", "The batch could not be processed", [], error);
}

/** What is refused, under the identity with which a replay can still be applied. */
export interface Refusal {
  record: LogRecord;
  identity: ChunkIdentity;
  value: Uint8Array;
  error: PermanentError;
}

interface RefuseOptions {
  db: Database;
  /** Resolves when the letter is durable, or the log cannot hold it however short. */
  deadLetter: (rejected: RejectedRecord) => Promise<void>;
  /** Called when the outcome cannot be stored; a waiting request then gets no answer from it. */
  unnoted: (error: unknown) => void;
}

/**
 * Stage 7, for what cannot be applied: writes a dead letter with the chunk's identity and time of
 * receipt, then the outcome for the waiting request. A redelivered record writes no second letter.
 * Rejects only when the log or the store is down.
 */
export async function refuse(refusal: Refusal, options: RefuseOptions): Promise<void> {
  const { db, deadLetter } = options;
  const { record, identity, error } = refusal;
  const { batch, part } = identity;
  const { topic, partition, offset } = record;
  const origin = { topic, partition, offset };
  const [noted] = await db.query(refusedOrigin, [batch, part]);
  if (!isSame(noted?.origin, origin)) {
    const headers = { ...kindHeaders, ...record.headers, ...identityHeaders(identity) };
    await deadLetter({
      topic,
      record: { ...record, value: refusal.value, headers },
      reason: error.reason,
      message: error.message,
      details: error.details,
    });
  }
  const detail = JSON.stringify({ ...outcomeOf(error), origin });
  try {
    await db.query(refuseStatement, [batch, part, detail]);
  } catch (error) {
    if (classify(error) !== "permanent") throw error;
    options.unnoted(error);
  }
}

function isSame(a: Position | null | undefined, b: Position): boolean {
  return a?.topic === b.topic && a.partition === b.partition && a.offset === b.offset;
}

/** Limits of a stored refusal: UTF-16 units of its message and of each detail, and the number of details. */
const maxMessage = 2_000;
const maxDetail = 1_000;
const maxDetails = 100;

/** HTTP status and code by reason; the published contract reports some faults as 5xx. */
const malformed = { status: 400, code: "USR001" };
const fault = { status: 500, code: "SYS001" };
const answers = new Map([
  ["unknown_data_source", fault],
  ["duplicate_catrn", fault],
  ["body_too_large", fault],
  ["internal_error", fault],
]);

/** The outcome for the waiting request, with its texts cut to what the store accepts. */
function outcomeOf({ reason, message, details }: PermanentError) {
  return {
    ...answers.get(reason) ?? malformed,
    reason,
    message: bounded(message, maxMessage),
    details: details.slice(0, maxDetails).map((detail) => ({
      field: bounded(detail.field, maxDetail),
      message: bounded(detail.message, maxDetail),
    })),
  };
}

/** Items of a record, under their own part number. */
interface PickedItems {
  record: LogRecord;
  /** The identity of the whole record. */
  identity: ChunkIdentity;
  part: number;
  /** Their indexes within the record. */
  indexes: number[];
}

/** The refusal of some items of a record that could be read; it keeps their original bytes. */
export function refusalOfItems(picked: PickedItems, error: PermanentError): Refusal {
  const { record, identity, part, indexes } = picked;
  const body = translateKeys(record.value);
  return {
    record,
    identity: { ...identity, part, parts: Math.max(identity.parts, part + 1) },
    value: pickItems(body, scanBatch(body), indexes),
    error,
  };
}

/** $1 batch, $2 part: the log position of the record whose refusal is stored. */
const refusedOrigin = statement<{ origin: Position | null }>("ingest-refused-origin")`
  SELECT detail -> 'origin' AS origin FROM applied_batch
    WHERE batch = $1 AND part = $2 AND outcome = 'refused'`;

/** $1 batch, $2 part, $3 detail: stores it, wakes waiting requests. An applied chunk stays applied. */
const refuseStatement = statement("ingest-refuse")`
  INSERT INTO applied_batch AS a (batch, part, outcome, position, detail)
   VALUES ($1, $2, 'refused', lineage_head(), $3::jsonb)
   ON CONFLICT (batch, part) DO UPDATE SET detail = excluded.detail, applied_at = now()
     WHERE a.outcome = 'refused'
   RETURNING pg_notify('applied_batch', a.batch)`;
