import { Buffer } from "node:buffer";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { deadLetterHeaders as header } from "#contract/topics.ts";
import { identityHeaders, identityOf } from "#contract/ingestion/frame.ts";
import type { LogRecord, NewRecord } from "#eventlog/port.ts";
import type { ErrorDetail } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";

/** A record that cannot be applied, as it should be replayed later. */
export interface RejectedRecord {
  topic: string;
  record: LogRecord;
  /** Short stable word, such as a metric label needs. */
  reason: string;
  message: string;
  details: ErrorDetail[];
}

/** Bytes kept of a record that was refused for its size. */
export const retainedOfOversize = 64 * 1024;
const oversize = new Set(["record_too_large", "body_too_large"]);

/** UTF-16 units kept of a key; any name that the database can look up is shorter. */
export const maxKey = 3_000;
/** Longest header that is stored, and limit of all headers together, names included, UTF-16 units. */
const maxHeader = 1_000;
export const maxHeaders = 16_000;
const maxMessage = 2_000;
const maxDetailsBytes = 8 * 1024;
/** Headers needed to read the record; too long ones are cut, but never dropped. */
const frame = new Set<string>(Object.values(batchHeaders));

/**
 * The letters to try one after the other, each with less that a log could refuse: the whole record, its
 * beginning, and finally only reason and origin.
 */
export function deadLettersOf(refused: RejectedRecord): NewRecord[] {
  const { record } = refused;
  const headers = { ...retainedHeaders(record), ...reasonHeaders(refused) };
  const key = record.key === null ? null : record.key.slice(0, maxKey).toWellFormed();
  const whole: NewRecord = { key, value: record.value, headers };
  const beginning: NewRecord = {
    key,
    value: record.value.subarray(0, retainedOfOversize),
    headers: { ...headers, [header.cut]: "true" },
  };
  const bare: NewRecord = {
    key: null,
    value: new Uint8Array(),
    headers: { ...reasonHeaders({ ...refused, message: "", details: [] }), [header.cut]: "true" },
  };
  const isLong = record.value.byteLength > retainedOfOversize;
  if (!isLong) return [whole, bare];
  return oversize.has(refused.reason) ? [beginning, bare] : [whole, beginning, bare];
}

/** The headers that a replay needs: identity and `frame`; other headers only when they are short. */
function retainedHeaders(record: LogRecord): Record<string, string> {
  let left = maxHeaders;
  const retained: [string, string][] = [];
  for (const [name, value] of Object.entries(record.headers)) {
    const size = name.length + value.length;
    if (frame.has(name)) retained.push([name, bounded(value, maxHeader)]);
    else if (size <= maxHeader && size <= left) {
      retained.push([name, value]);
      left -= size;
    }
  }
  return { ...Object.fromEntries(retained), ...identityHeaders(identityOf(record)) };
}

function reasonHeaders({ topic, record, reason, message, details }: RejectedRecord) {
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

/** As many details as fit into 8 kB; always valid JSON. */
function detailsText(details: ErrorDetail[]): string {
  const retained: string[] = [];
  let bytes = 2;
  for (const detail of details) {
    const text = JSON.stringify(detail);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxDetailsBytes) break;
    retained.push(text);
  }
  return `[${retained.join(",")}]`;
}
