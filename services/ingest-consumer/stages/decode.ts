import { identityOf, refuseForeign, yieldsAt } from "#contract/ingestion/frame.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import type { ChunkIdentity } from "../chunk.ts";

/**
 * Stage 1: checks the record's headers and size. Throws `PermanentError` for a record of another
 * type or major version, and for a value over `maxBytes`.
 */
export function decode(record: LogRecord, maxBytes: number, now?: number): ChunkIdentity {
  refuseForeign(record);
  if (record.value.length > maxBytes) {
    throw new PermanentError(
      "body_too_large",
      `The batch has ${record.value.length} bytes; at most ${maxBytes} are taken`,
    );
  }
  return chunkIdentityOf(record, now);
}

/** The part identity of a record; a record written by a collector is named by its place in the log. */
export function chunkIdentityOf(record: LogRecord, now?: number): ChunkIdentity {
  const identity = identityOf(record, now);
  return {
    ...identity,
    direct: identity.batch.includes("/"),
    yieldsAt: yieldsAt(record, identity.receivedAt),
  };
}
