// Each CATRN is looked up by itself: reading all of a table, again and again, would take from what is measured.
const firstMissing = (found: string) => `
  SELECT w.at::int AS at FROM unnest($1::text[]) WITH ORDINALITY AS w (catrn, at)
    LEFT JOIN LATERAL (SELECT true AS there FROM ${found} OFFSET 0) f ON true
   WHERE f.there IS NULL ORDER BY w.at LIMIT 1`;

/** $1 CATRNs: the place of the first that is no entity yet. */
export const firstEntityMissing = firstMissing(
  "data_entity e WHERE e.catrn = w.catrn AND NOT e.hollow",
);

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
