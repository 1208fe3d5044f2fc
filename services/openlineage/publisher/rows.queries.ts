import {
  claimedColumns as columns,
  type ClaimedRow,
  queueStatements,
  takenFrom,
} from "#platform/composed-source/queue.queries.ts";
import { statement } from "#metadata/postgres/statement.ts";

export type { ClaimedRow };
export type Table = "ol_job" | "ol_run" | "ol_dataset";

/** The statements with which rows are taken, posted and removed; a test that some run makes is retained. */
export const queue = queueStatements<Table>({
  prefix: "ol",
  tables: ["ol_dataset", "ol_job", "ol_run"],
  leaving: "ol_leaving",
  retained: "EXISTS (SELECT FROM ol_run m WHERE m.tests <> '{}' AND m.tests @> ARRAY[l.catrn])",
});

export const takeJobs = statement<ClaimedRow>("ol-take-jobs")`
  SELECT ${columns} ${takenFrom("ol_job")}`;

export type ClaimedRun = ClaimedRow & {
  job_key: string;
  status: string | null;
  /** What it was posted as. */
  posted_job: string | null;
  tests: string[];
};

export const takeRuns = statement<ClaimedRun>("ol-take-runs")`
  SELECT ${columns}, job_key, status, posted_job, tests ${takenFrom("ol_run")}`;

export type ClaimedDataset = ClaimedRow & {
  catrn: string | null;
  posted_catrn: string | null;
};

export const takeDatasets = statement<ClaimedDataset>("ol-take-datasets")`
  SELECT ${columns}, catrn, posted_catrn ${takenFrom("ol_dataset")}`;

/** $1 keys of jobs that are taken, and that are to be posted again whatever was posted of them before. */
export const unpost = statement("ol-unpost-jobs")`
  UPDATE ol_job SET posted_hash = NULL, posted_at = NULL WHERE key = ANY($1::text[])`;
