import { z } from "zod";
import type { Item } from "../../connector.ts";
import type { Artifacts } from "./artifacts.ts";

type Run = Pick<
  NonNullable<Item["data_transformer_run"]>,
  "status" | "start_time" | "end_time" | "status_reason"
>;
type Status = Run["status"];

/** The last result of a node, by `run_results.json` or `sources.json`. */
export interface NodeResult extends Run {
  /** Names the run of dbt. */
  invocation: string;
}

const statuses = new Map<string, Status>([
  ["success", "SUCCESS"],
  ["pass", "SUCCESS"],
  ["fail", "FAILED"],
  ["error", "BROKEN"],
  ["runtime error", "BROKEN"],
  ["skipped", "SKIPPED"],
  // As with OpenLineage: a warning is not a failure that opens an alert.
  ["warn", "UNKNOWN"],
  ["partial success", "UNKNOWN"],
]);

/** Longest reason, in characters. */
const maxReason = 2_000;

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString());
const Result = z.object({
  unique_id: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  timing: z.array(z.object({ started_at: time.nullish(), completed_at: time.nullish() })).catch([]),
  max_loaded_at: z.string().nullish(),
});

/** Results of the last run by the id of the node; empty without `run_results.json` and `sources.json`. */
export async function readResults(artifacts: Artifacts): Promise<Map<string, NodeResult>> {
  const results = new Map<string, NodeResult>();
  for (const name of ["run_results.json", "sources.json"] as const) {
    const run = { invocation: "", at: "" };
    for await (const { section, key, value } of artifacts.entries(name, ["metadata", "results"])) {
      if (section === "results") addResult(results, run, value);
      else if (key === "invocation_id") run.invocation = String(value ?? "");
      else if (key === "generated_at") run.at = time.safeParse(value).data ?? "";
    }
  }
  return results;
}

function addResult(
  results: Map<string, NodeResult>,
  { invocation, at }: { invocation: string; at: string },
  given: unknown,
): void {
  const parsed = Result.safeParse(given);
  if (!parsed.success) return;
  const { unique_id, status, message, timing, max_loaded_at } = parsed.data;
  const start = timing.flatMap(({ started_at }) => started_at ?? []).sort()[0] ?? at;
  const end = timing.flatMap(({ completed_at }) => completed_at ?? []).sort().at(-1) ?? start;
  if (start === "") return;
  const reason = message ?? (max_loaded_at ? `last loaded at ${max_loaded_at}` : "");
  results.set(unique_id, {
    invocation: invocation || start,
    status: statuses.get(status.toLowerCase()) ?? "UNKNOWN",
    start_time: start,
    end_time: end,
    ...(reason ? { status_reason: reason.slice(0, maxReason) } : {}),
  });
}
