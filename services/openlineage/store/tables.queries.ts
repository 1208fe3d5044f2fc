import { statement } from "#metadata/postgres/statement.ts";

/** A row of a table of states. */
export interface StoredState {
  key: string;
  state: string;
}

const values = (types: string[], from = 1) =>
  types.map((type, at) => `$${at + from}::${type}[]`).join(", ");

// Rows are made and locked in the order of their keys, so that workers which merge the same ones wait for
// each other and never in a circle.

/** $1 keys. Locks what is there. */
const locked = (table: string) =>
  `SELECT key, state FROM ${table} WHERE key = ANY($1::text[]) ORDER BY key FOR NO KEY UPDATE`;

export const lockJobs = statement<StoredState>("ol-lock-jobs")`${locked("ol_job")}`;
export const lockRuns = statement<StoredState>("ol-lock-runs")`${locked("ol_run")}`;
export const lockDatasets = statement<StoredState>("ol-lock-datasets")`${locked("ol_dataset")}`;

const jobColumns = "key, namespace, name, state, parent_key, declares, last_seen";
const jobTypes = ["text", "text", "text", "text", "text", "text", "bigint"];

/** One array for each column; `declares` as texts of arrays. Returns the keys of those that were not there. */
export const insertJobs = statement<{ key: string }>("ol-insert-jobs")`
  INSERT INTO ol_job (${jobColumns})
  SELECT key, namespace, name, state, parent_key, declares::text[], last_seen
    FROM unnest(${values(jobTypes)}) AS j (${jobColumns}) ORDER BY key
  ON CONFLICT (key) DO NOTHING RETURNING key`;

/** As `insertJobs`, of rows that are locked. $8 how much dirtier each becomes. */
export const updateJobs = statement("ol-update-jobs")`
  UPDATE ol_job t SET namespace = j.namespace, name = j.name, state = j.state,
         parent_key = j.parent_key, declares = j.declares::text[], last_seen = j.last_seen,
         dirty = t.dirty + j.dirtier
    FROM unnest(${values([...jobTypes, "int"])}) AS j (${jobColumns}, dirtier)
   WHERE t.key = j.key`;

const runTypes = "text text text text bigint text boolean boolean boolean bigint bigint text"
  .split(" ");
const runColumns =
  "key, run_id, job_key, state, began, terminal, reopened, has_inputs, has_outputs, " +
  "last_seen, events, parent_run";

/** One array for each column. Returns the keys of those that were not there. */
export const insertRuns = statement<{ key: string }>("ol-insert-runs")`
  INSERT INTO ol_run (${runColumns})
  SELECT ${runColumns} FROM unnest(${values(runTypes)}) AS r (${runColumns}) ORDER BY key
  ON CONFLICT (key) DO NOTHING RETURNING key`;

/** As `insertRuns`, of rows that are locked. $13 how much dirtier each becomes. */
export const updateRuns = statement("ol-update-runs")`
  UPDATE ol_run t SET job_key = r.job_key, state = r.state, began = r.began, terminal = r.terminal,
         reopened = r.reopened, has_inputs = r.has_inputs, has_outputs = r.has_outputs,
         last_seen = r.last_seen, events = greatest(t.events, r.events), parent_run = r.parent_run,
         dirty = t.dirty + r.dirtier
    FROM unnest(${values([...runTypes, "int"])}) AS r (${runColumns}, dirtier)
   WHERE t.key = r.key`;

/** $1 keys of runs that are locked. */
export const dirtyRuns = statement("ol-dirty-runs")`
  UPDATE ol_run SET dirty = dirty + 1 WHERE key = ANY($1::text[])`;

export interface StoredIo extends Omit<StoredState, "key"> {
  run_key: string;
  side: "inputs" | "outputs";
  dataset_key: string;
}

/** $1 runs, $2 sides, $3 datasets: their runs are locked. */
export const readIo = statement<StoredIo>("ol-read-io")`
  SELECT i.run_key, i.side, i.dataset_key, i.state
    FROM unnest(${values(["text", "text", "text"])}) AS w (run_key, side, dataset_key)
    JOIN ol_run_io i USING (run_key, side, dataset_key)`;

/** One array for each column. */
export const writeIo = statement("ol-write-io")`
  INSERT INTO ol_run_io (run_key, side, dataset_key, t, state)
  SELECT * FROM unnest(${values(["text", "text", "text", "bigint", "text"])})
  ON CONFLICT (run_key, side, dataset_key) DO UPDATE SET t = excluded.t, state = excluded.state`;

const datasetTypes = ["text", "text", "text", "text", "bigint"];
const datasetColumns = "key, namespace, name, state, last_seen";

/** One array for each column. Returns the keys of those that were not there. */
export const insertDatasets = statement<{ key: string }>("ol-insert-datasets")`
  INSERT INTO ol_dataset (${datasetColumns})
  SELECT ${datasetColumns} FROM unnest(${
  values(datasetTypes)
}) AS d (${datasetColumns}) ORDER BY key
  ON CONFLICT (key) DO NOTHING RETURNING key`;

/** As `insertDatasets`, of rows that are locked. $6 how much dirtier each becomes. */
export const updateDatasets = statement("ol-update-datasets")`
  UPDATE ol_dataset t SET namespace = d.namespace, name = d.name, state = d.state,
         last_seen = d.last_seen, dirty = t.dirty + d.dirtier
    FROM unnest(${values([...datasetTypes, "int"])}) AS d (${datasetColumns}, dirtier)
   WHERE t.key = d.key`;

/** $1 datasets whose statements are replaced, then one array for each column. */
export const replaceLinks = statement("ol-replace-links")`
  WITH gone AS (DELETE FROM ol_alias_link WHERE by = ANY($1::text[]))
  INSERT INTO ol_alias_link (by, from_key, to_key, kind, t, h)
  SELECT * FROM unnest(${values(["text", "text", "text", "text", "bigint", "text"], 2)})`;
