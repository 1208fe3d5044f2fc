import { PermanentError } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";

/** Headers of records of `ingestion.batches`. A record that a collector wrote itself has none. */
export const batchHeaders = {
  /** `ingestion.batch`. */
  type: "type",
  /** Major version of the format, `1`. */
  version: "version",
  /** UUIDv7 given by the API when it accepted the body. */
  batch: "batch",
  /** Number of this part, from 0, and how many the batch has. */
  part: "part",
  parts: "parts",
  /** When the API received the body: milliseconds since the epoch. */
  receivedAt: "received-at",
  /** W3C trace context. */
  traceparent: "traceparent",
} as const;

/** What `batchHeaders.type` says, and the major version of what is written here. */
const batchType = "ingestion.batch";
const batchVersion = "1";
const minor = `${batchVersion}.`;

/** What every record of batches says that it is. */
export const kindHeaders = {
  [batchHeaders.type]: batchType,
  [batchHeaders.version]: batchVersion,
};

/** A record as it was read from a log. */
export interface FramedRecord {
  topic: string;
  partition: number;
  offset: number;
  /** When the log took it, milliseconds since the epoch. */
  timestamp: number;
  headers: Record<string, string>;
}

/** Identifies the effect of a record of batches; a replay of the record has the same identity. */
export interface RecordIdentity {
  batch: string;
  part: number;
  parts: number;
  /** Milliseconds since the epoch; in the future only by what clocks may differ. */
  receivedAt: number;
}

/** Longest name of a batch that a header may give; ours have 36 characters. */
export const maxBatchName = 200;
/** Highest number of a part; the slices of a record are numbered on from it. */
export const maxPart = 1_000_000;
/** Milliseconds that the clock of whoever received a batch may be ahead of ours. */
const skewMs = 5 * 60 * 1_000;

/** Printable ASCII, which every store, log and header can hold. */
// expression-ok -- one class between both ends
const name = new RegExp(`^[!-~]{1,${maxBatchName}}$`);

/**
 * What the headers of a record say. A record without them, or with any that cannot be kept, is named by
 * its place in the log; one received in the future was received when the log took it, at `now` at the
 * latest.
 */
export function identityOf(record: FramedRecord, now = Date.now()): RecordIdentity {
  const { headers, timestamp } = record;
  const receivedAt = past(integer(headers[batchHeaders.receivedAt]), now) ??
    past(timestamp, now) ?? now;
  return { ...named(record), receivedAt };
}

/** What is shown of a header that is not known. */
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

/** The headers of a record of batches. */
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

/** What stands before and after the items of a body, which are JSON parted by commas. */
export function bodyAround(dataSourceCatrn: string): { head: string; tail: string } {
  return { head: `{"data_source_catrn":${JSON.stringify(dataSourceCatrn)},"items":[`, tail: "]}" };
}
