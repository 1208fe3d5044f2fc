import { z } from "@hono/zod-openapi";
import { maxDetails } from "#contract/bounded.ts";
import type { ErrorDetail } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";

/** Longest field and message that is told, UTF-16 units. */
export const maxToldText = 1_000;

/**
 * Answer of what was taken in part, or with a remark: how many items, or fields of statistics, were not
 * taken, and at most `maxDetails` places: of those first, then of what was taken as it came.
 */
export const IngestionReport = z.object({
  refused: z.number().int().min(0),
  details: z.array(z.object({ field: z.string(), message: z.string() })).max(maxDetails),
}).openapi("IngestionReport");
export type IngestionReport = z.output<typeof IngestionReport>;

/** A report within its bounds. */
export function reportOf(refused: number, details: ErrorDetail[]): IngestionReport {
  const told = details.slice(0, maxDetails).map(({ field, message }) => ({
    field: bounded(field, maxToldText),
    message: bounded(message, maxToldText),
  }));
  return { refused, details: told };
}
