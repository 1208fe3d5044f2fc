import { z } from "@hono/zod-openapi";
import { maxDetails } from "#contract/bounded.ts";
import { AppError, type ErrorDetail } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";

/** Longest field and message in a report, in UTF-16 units. */
export const maxReportedText = 1_000;

/**
 * Answer to a payload that was accepted in part, or with remarks: how many items (or fields of
 * statistics) were refused, and at most `maxDetails` details, those of refused items first, then the
 * remarks.
 */
export const IngestionReport = z.object({
  refused: z.number().int().min(0),
  details: z.array(z.object({ field: z.string(), message: z.string() })).max(maxDetails),
}).openapi("IngestionReport");
export type IngestionReport = z.output<typeof IngestionReport>;

/** Builds a report within its bounds. */
export function reportOf(refused: number, details: ErrorDetail[]): IngestionReport {
  const reported = details.slice(0, maxDetails).map(({ field, message }) => ({
    field: bounded(field, maxReportedText),
    message: bounded(message, maxReportedText),
  }));
  return { refused, details: reported };
}

/** A fault of the client that the contract reports as a server error; never worth a retry. */
export function ingestionFault(
  message: string,
  details: ErrorDetail[] = [],
): AppError {
  return new AppError(message, { status: 500, code: "SYS001", retryable: false, details });
}
