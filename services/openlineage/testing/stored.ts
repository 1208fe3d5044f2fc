import { type Delta, emptyDelta } from "../state/states.ts";

type Rows = (text: string) => Promise<{ key: string; state: string }[]>;

/** SQL conditions on the keys of rows; all rows by default. */
export interface StoredFilter {
  /** On `key`, of jobs and datasets. */
  names?: string;
  /** On `key`, of runs. */
  runs?: string;
}

/** What the tables of states hold. */
export async function storedState(
  rows: Rows,
  { names = "true", runs = "true" }: StoredFilter = {},
): Promise<Delta> {
  const state = emptyDelta();
  const read = async <S>(into: Map<string, S>, table: string, key: string, condition: string) => {
    for (const row of await rows(`SELECT ${key} AS key, state FROM ${table} WHERE ${condition}`)) {
      into.set(row.key, JSON.parse(row.state));
    }
  };
  const ofRun = "run_key || E'\\x1f' || side || E'\\x1f' || dataset_key";
  await read(state.jobs, "ol_job", "key", names);
  await read(state.datasets, "ol_dataset", "key", names);
  await read(state.runs, "ol_run", "key", runs);
  await read(state.io, "ol_run_io", ofRun, runs.replaceAll("key", "run_key"));
  return state;
}
