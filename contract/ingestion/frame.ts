import { PermanentError } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";

/** Headers of `ingestion.batches` records. A record written by a collector directly has none. */
export const batchHeaders = {
  /** Always `ingestion.batch`. */
  type: "type",
  /** Major version of the format, `1`. */
  version: "version",
  /** UUIDv7 that the API assigned when it accepted the body. */
  batch: "batch",
  /** Number of this part, from 0; `parts` is how many the batch has. */
  part: "part",
  parts: "parts",
  /** When the API received the body: milliseconds since the epoch. */
  receivedAt: "received-at",
  /** W3C trace context. */
  traceparent: "traceparent",
  /** `yield`: entities that another system reported are left unchanged; missing: the newest batch wins. */
  precedence: "precedence",
  /** With `yield`: when the items were last seen, in milliseconds since the epoch; default: when received. */
  seenAt: "seen-at",
} as const;

/** The value of `batchHeaders.precedence` of low-precedence batches. */
const lowPriority = "yield";

/** The value of `batchHeaders.type`, and the major version that this release writes. */
const batchType = "ingestion.batch";
const batchVersion = "1";
const minor = `${batchVersion}.`;

/** Type and version headers, the same on every batch record. */
export const kindHeaders = {
  [batchHeaders.type]: batchType,
  [batchHeaders.version]: batchVersion,
};

/** A record as read from a log. */
interface FramedRecord {
  topic: string;
  partition: number;
  offset: number;
  /** When the log stored it, in milliseconds since the epoch. */
  timestamp: number;
  headers: Record<string, string>;
}

/** Identifies the effect of a batch record; a replay of the record has the same identity. */
export interface RecordIdentity {
  batch: string;
  part: number;
  /** Number of parts of the batch. */
  parts: number;
  /** When the batch was received, in milliseconds since the epoch; ahead of our clock by at most the allowed clock skew. */
  receivedAt: number;
}

/** Longest batch name that a header may give; the API's own have 36 characters. */
export const maxBatchName = 200;
/** Highest part number; the chunks of a record are numbered from its own. */
export const maxPart = 1_000_000;
/** Milliseconds that the receiver's clock may be ahead of ours. */
const skewMs = 5 * 60 * 1_000;

/** Printable ASCII, which every store, log and header accepts. */
// expression-ok -- one class between both ends
const name = new RegExp(`^[!-~]{1,${maxBatchName}}$`);

/**
 * The identity that the headers of a record give. A record without headers, or with an invalid name
 * or number, is named by its place in the log. A time of receipt in the future is replaced by the
 * log's timestamp, or by `now` if that is in the future too.
 */
export function identityOf(record: FramedRecord, now = Date.now()): RecordIdentity {
  const receivedAt = past(claimedAt(record), now) ?? past(record.timestamp, now) ?? now;
  return { ...named(record), receivedAt };
}

/** Whether `identityOf` would replace the time that a record gives. If so, the clock that `now` is from may be wrong. */
export function isFuture(record: FramedRecord, now: number): boolean {
  return past(claimedAt(record) ?? record.timestamp, now) === undefined;
}

const claimedAt = ({ headers }: FramedRecord) => integer(headers[batchHeaders.receivedAt]);

/** Characters of an unknown header value that a message quotes. */
const maxShown = 40;

/** Throws `PermanentError` for a record of another type or major version. */
export function refuseForeign({ headers }: Pick<FramedRecord, "headers">): void {
  const type = headers[batchHeaders.type];
  if (type !== undefined && type !== batchType) {
    throw new PermanentError(
      "unknown_type",
      `The record has type ${bounded(type, maxShown)}; known is ${batchType}`,
    );
  }
  const version = headers[batchHeaders.version];
  if (version !== undefined && version !== batchVersion && !version.startsWith(minor)) {
    throw new PermanentError(
      "unknown_version",
      `The record has version ${bounded(version, maxShown)}; known is ${batchVersion}`,
    );
  }
}

/** The headers of a low-precedence batch: entities that others report are left unchanged. */
export function lowPriorityHeaders(seenAt: number): Record<string, string> {
  return {
    [batchHeaders.precedence]: lowPriority,
    [batchHeaders.seenAt]: String(Math.round(seenAt)),
  };
}

/**
 * When the items of a low-precedence batch were last seen, in milliseconds since the epoch, not after
 * `receivedAt`; null for other batches.
 */
export function yieldsAt(
  { headers }: Pick<FramedRecord, "headers">,
  receivedAt: number,
): number | null {
  if (headers[batchHeaders.precedence] !== lowPriority) return null;
  return Math.min(integer(headers[batchHeaders.seenAt]) ?? receivedAt, receivedAt);
}

/** All headers of a batch record. */
export function frameHeaders(identity: RecordIdentity): Record<string, string> {
  return { ...kindHeaders, ...identityHeaders(identity) };
}

/** The headers that carry an identity. */
export function identityHeaders(identity: RecordIdentity): Record<string, string> {
  return {
    [batchHeaders.batch]: identity.batch,
    [batchHeaders.part]: String(identity.part),
    [batchHeaders.parts]: String(identity.parts),
    [batchHeaders.receivedAt]: String(identity.receivedAt),
  };
}

function named(record: FramedRecord): Omit<RecordIdentity, "receivedAt"> {
  const { topic, partition, offset, headers } = record;
  const batch = headers[batchHeaders.batch];
  const part = number(headers[batchHeaders.part], 0);
  const parts = number(headers[batchHeaders.parts], 1);
  if (batch !== undefined && name.test(batch) && part !== null && parts !== null) {
    return { batch, part, parts };
  }
  return { batch: `${topic}/${partition}/${offset}`, part: 0, parts: 1 };
}

function number(text: string | undefined, missing: number): number | null {
  if (text === undefined) return missing;
  const value = integer(text);
  return value !== undefined && value <= maxPart ? value : null;
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function past(time: number | undefined, now: number): number | undefined {
  return time !== undefined && time >= 0 && time <= now + skewMs ? time : undefined;
}

/** The text before and after the items of a body; the items go between, separated by commas. */
export function bodyAround(dataSourceCatrn: string): { head: string; tail: string } {
  return { head: `{"data_source_catrn":${JSON.stringify(dataSourceCatrn)},"items":[`, tail: "]}" };
}
