import type { JobState, Name } from "../state/model.ts";
import type { StoredRun, TaskOutcomes } from "../state/runs.ts";

/** What a job is mapped from. */
export interface JobFacts {
  /** CATRN of the job. */
  key: string;
  state: JobState;
  /** Those whose inputs and outputs may count; more do no harm. */
  runs: StoredRun[];
  /** CATRNs of the jobs that it started, and when the first of them leaves. */
  children: { keys: string[]; dueAt: number | null };
  /** The CATRN of a dataset, by its key. */
  catrnOf: (dataset: string) => string;
  /** The key of a dataset, by its name. */
  keyOf: (name: Name) => string;
  /** The CATRN of a job, by its name. */
  jobKeyOf: (name: Name) => string;
}

/** What a run is mapped from. */
export interface RunFacts {
  run: StoredRun;
  /** CATRN and state of its job. */
  jobKey: string;
  job: JobState;
  /** The CATRN of a dataset, by its key. */
  catrnOf: (dataset: string) => string;
  /** What came of the runs that it started, where it sent no events itself. */
  tasks?: TaskOutcomes | undefined;
}
