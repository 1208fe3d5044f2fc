import { Buffer } from "node:buffer";
import { inspectJson } from "#contract/ingestion/json.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { batchHeaders, batchType, batchVersion } from "#contract/topics.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import type { PartIdentity } from "../part.ts";

/**
 * Stage 1: the frame of a record. Throws `PermanentError` for a record of another type or major
 * version and for a value over `maxBytes`.
 */
export function decode(record: LogRecord, maxBytes: number): PartIdentity {
  refuseForeign(record);
  if (record.value.length > maxBytes) {
    throw new PermanentError(
      "body_too_large",
      `The batch has ${record.value.length} bytes; at most ${maxBytes} are taken`,
    );
  }
  return identityOf(record);
}

function refuseForeign({ headers }: LogRecord): void {
  const type = headers[batchHeaders.type];
  if (type !== undefined && type !== batchType) {
    throw new PermanentError("unknown_type", `The record has type ${type}; known is ${batchType}`);
  }
  const version = headers[batchHeaders.version];
  if (version !== undefined && version.split(".")[0] !== batchVersion) {
    throw new PermanentError(
      "unknown_version",
      `The record has version ${version}; known is ${batchVersion}`,
    );
  }
}

/**
 * What the headers say; a record without them is named by its place in the log and was received
 * when the log took it.
 */
export function identityOf(record: LogRecord): PartIdentity {
  const { headers } = record;
  const batch = headers[batchHeaders.batch];
  const direct = !batch || batch.includes("/");
  return {
    batch: batch || `${record.topic}/${record.partition}/${record.offset}`,
    part: integer(headers[batchHeaders.part]) ?? 0,
    parts: integer(headers[batchHeaders.parts]) ?? 1,
    receivedAt: integer(headers[batchHeaders.receivedAt]) ?? record.timestamp,
    direct,
  };
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * The body of a record with its keys spelled `catrn`. Throws a 400 `AppError` when it holds too much.
 */
export function spelled(value: Uint8Array): Uint8Array {
  const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (buffer.indexOf("oddrn") < 0) return value;
  // Before the translation, whose memory grows with the nesting.
  inspectJson(value);
  return translateKeys(value);
}
