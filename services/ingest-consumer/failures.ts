import { AppError, PermanentError } from "#kit/errors.ts";
import { classify, sqlState } from "#metadata/database.ts";

/** Another transaction came between what was read and what was locked; begin the part again. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** A shared row (a tag, a hollow entity) was purged between its creation and its use. */
const foreignKeyViolation = "23503";

/**
 * How a failure of the transaction is taken: `retry` the part at once, `refuse` it for good, or let
 * the log deliver the record again after a pause.
 */
export function kindOf(error: unknown): "retry" | "refuse" | "pause" {
  if (error instanceof PermanentError) return "refuse";
  if (error instanceof Conflict || sqlState(error) === foreignKeyViolation) return "retry";
  const kind = classify(error);
  if (kind === "retry") return "retry";
  return kind === "permanent" ? "refuse" : "pause";
}

/** The refusal that a failure means for whoever waits, in public words. */
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
