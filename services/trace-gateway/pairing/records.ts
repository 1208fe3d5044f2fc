import type { SpanFact } from "#contract/traces.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";
import { unpack } from "../facts/unpack.ts";

/** The facts of a record, or why it cannot be read: a retry would fail in the same way. */
export function read(record: LogRecord): SpanFact[] | PermanentError {
  try {
    return unpack(record);
  } catch (error) {
    if (error instanceof PermanentError) return error;
    return new PermanentError("invalid_record", messageOf(error), [], error);
  }
}
