import { batchHeaders } from "#contract/topics.ts";
import type { LogRecord } from "#eventlog/port.ts";

/** What names the effect of a record of batches, wherever it is read or replayed. */
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

/** Printable ASCII: whatever the name is shown in or sent through holds it. */
// expression-ok -- one class between both ends
const name = new RegExp(`^[!-~]{1,${maxBatchName}}$`);

/**
 * What the headers of a record say. A record without them, or with any that cannot be kept, is named by
 * its place in the log; one received in the future was received when the log took it, at `now` at the
 * latest.
 */
export function identityOf(record: LogRecord, now = Date.now()): RecordIdentity {
  const { headers, timestamp } = record;
  const receivedAt = past(integer(headers[batchHeaders.receivedAt]), now) ??
    past(timestamp, now) ?? now;
  return { ...named(record), receivedAt };
}

/** The headers that say so. */
export function identityHeaders(identity: RecordIdentity): Record<string, string> {
  return {
    [batchHeaders.batch]: identity.batch,
    [batchHeaders.part]: String(identity.part),
    [batchHeaders.parts]: String(identity.parts),
    [batchHeaders.receivedAt]: String(identity.receivedAt),
  };
}

function named(record: LogRecord): Omit<RecordIdentity, "receivedAt"> {
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
