import { AppError, PermanentError } from "#kit/errors.ts";
import { classify, sqlState } from "#metadata/postgres/database.ts";

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
    return new PermanentError(
      "data_error",
      "The metadata store cannot hold a value of the batch",
      [],
      error,
    );
  }
  return new PermanentError("internal_error", "The batch could not be processed", [], error);
}
