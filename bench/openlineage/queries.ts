import { firstMissing } from "../support/missing.queries.ts";

export { firstEntityMissing } from "../support/missing.queries.ts";

/** $1 CATRNs: the place of the first that is no run that succeeded yet. */
export const firstRunMissing = firstMissing(
  "task_run r WHERE r.catrn = w.catrn AND r.status = 'SUCCESS'",
);

/** A row if anything waits to be composed. */
export const dirty = `
  SELECT 1 WHERE EXISTS (SELECT FROM ol_job WHERE dirty > 0)
      OR EXISTS (SELECT FROM ol_run WHERE dirty > 0)
      OR EXISTS (SELECT FROM ol_dataset WHERE dirty > 0)`;

/** Row counts of the tables of state; both sides must agree. */
export const stateCounts = `
  SELECT (SELECT count(*) FROM ol_job) AS ol_job, (SELECT count(*) FROM ol_run) AS ol_run,
         (SELECT count(*) FROM ol_run_io) AS ol_run_io,
         (SELECT count(*) FROM ol_dataset) AS ol_dataset`;
