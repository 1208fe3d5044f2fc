import { identityOf, refuseForeign } from "#contract/ingestion/frame.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import type { PartIdentity } from "../part.ts";

/**
 * Stage 1: the frame of a record. Throws `PermanentError` for a record of another type or major
 * version and for a value over `maxBytes`.
 */
export function decode(record: LogRecord, maxBytes: number, now?: number): PartIdentity {
  refuseForeign(record);
  if (record.value.length > maxBytes) {
    throw new PermanentError(
      "body_too_large",
      `The batch has ${record.value.length} bytes; at most ${maxBytes} are taken`,
    );
  }
  return partIdentityOf(record, now);
}

/** Whose part a record is; one that a collector wrote itself is named by its place in the log. */
export function partIdentityOf(record: LogRecord, now?: number): PartIdentity {
  const identity = identityOf(record, now);
  return { ...identity, direct: identity.batch.includes("/") };
}
