import type { IngestionReport } from "#contract/ingestion/report.ts";
import type { Context } from "#platform/context.ts";
import type { Reply } from "#platform/operations/reply.ts";

/** The header with the number of refused items; absent when all were accepted. */
export const refusedHeader = "X-Ingestion-Refused";

/** The answer for accepted data: without a body, unless there is something to report. */
export function taken(
  status: number,
  report: IngestionReport,
  headers: Record<string, string> = {},
): Reply {
  if (report.details.length === 0 && report.refused === 0) return { status, headers };
  const all = { ...headers };
  if (report.refused > 0) all[refusedHeader] = String(report.refused);
  return { status, headers: all, body: report };
}

/** Counts and logs refused items of an accepted request, since its sender may not read the answer. */
export function noteRefused(
  { metrics, log }: Pick<Context, "metrics" | "log">,
  kind: "items" | "statistics",
  { refused, details }: IngestionReport,
  more: Record<string, unknown> = {},
): void {
  if (refused === 0) return;
  metrics.counter(
    "tributary_ingestion_refused_total",
    "Items of batches, and fields of statistics, that were refused while the rest was accepted",
    ["kind"],
  ).inc({ kind }, refused);
  log.warn("batch accepted in part", { kind, refused, first: details[0], ...more });
}
