import { Buffer } from "node:buffer";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { deadLetterHeaders as header } from "#contract/topics.ts";
import { identityHeaders, identityOf } from "#contract/ingestion/frame.ts";
import type { LogRecord, NewRecord } from "#eventlog/port.ts";
import type { ErrorDetail } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";

/** A record that cannot be applied, as it should be replayed one day. */
export interface Refused {
  topic: string;
  record: LogRecord;
  /** Short stable word. */
  reason: string;
  message: string;
  details: ErrorDetail[];
}

/** Kept of a record that is refused for its size, bytes. */
export const keptOfOversize = 64 * 1024;
const oversize = new Set(["record_too_large", "body_too_large"]);

/** Kept of a key, UTF-16 units; a name that the store can look up is shorter. */
export const maxKey = 3_000;
/** Longest header that is kept, and all of them together, names included, UTF-16 units. */
const maxHeader = 1_000;
export const maxHeaders = 16_000;
const maxMessage = 2_000;
const maxDetailsBytes = 8 * 1024;
/** What says how a record is to be read; cut where it is too long, never left away. */
const frame = new Set<string>(Object.values(batchHeaders));

/**
 * The letters to try, one after the other, each holding less that a log could refuse: the whole record,
 * its beginning, and the bare reason with the origin.
 */
export function lettersOf(refused: Refused): NewRecord[] {
  const { record } = refused;
  const headers = { ...keptHeaders(record), ...reasonHeaders(refused) };
  const key = record.key === null ? null : record.key.slice(0, maxKey).toWellFormed();
  const whole: NewRecord = { key, value: record.value, headers };
  const beginning: NewRecord = {
    key,
    value: record.value.subarray(0, keptOfOversize),
    headers: { ...headers, [header.cut]: "true" },
  };
  const bare: NewRecord = {
    key: null,
    value: new Uint8Array(),
    headers: { ...reasonHeaders({ ...refused, message: "", details: [] }), [header.cut]: "true" },
  };
  const isLong = record.value.byteLength > keptOfOversize;
  if (!isLong) return [whole, bare];
  return oversize.has(refused.reason) ? [beginning, bare] : [whole, beginning, bare];
}

/** The headers that a replay keeps: the record's identity, its frame, and of others what is short. */
export function keptHeaders(record: LogRecord): Record<string, string> {
  let left = maxHeaders;
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(record.headers)) {
    const size = name.length + value.length;
    if (frame.has(name)) kept.push([name, bounded(value, maxHeader)]);
    else if (size <= maxHeader && size <= left) {
      kept.push([name, value]);
      left -= size;
    }
  }
  return { ...Object.fromEntries(kept), ...identityHeaders(identityOf(record)) };
}

function reasonHeaders({ topic, record, reason, message, details }: Refused) {
  return {
    [header.reason]: reason,
    [header.message]: message.slice(0, maxMessage).toWellFormed(),
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
    if (bytes > maxDetailsBytes) break;
    kept.push(text);
  }
  return `[${kept.join(",")}]`;
}
