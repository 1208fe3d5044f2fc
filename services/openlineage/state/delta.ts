import { joinInto } from "./join.ts";
import type { DatasetState, IoState, JobState, RunState } from "./model.ts";
import { joinDataset, joinIo, joinJob, joinRun } from "./states.ts";

/** What events say, by key: the state of each subject as if there were no other events. */
export interface Delta {
  jobs: Map<string, JobState>;
  runs: Map<string, RunState>;
  /** By `ioKey`. */
  io: Map<string, IoState>;
  datasets: Map<string, DatasetState>;
}

export function emptyDelta(): Delta {
  return { jobs: new Map(), runs: new Map(), io: new Map(), datasets: new Map() };
}

/** Separates the parts of a key that is made of several; no name that we are given holds it. */
export const separator = "\u001f";

export function ioKey({ run, side, key }: Pick<IoState, "run" | "side" | "key">): string {
  return [run, side, key].join(separator);
}

/** Joins `more` into `into`. */
export function joinDelta(into: Delta, more: Delta): void {
  for (const [key, job] of more.jobs) joinInto(into.jobs, key, job, joinJob);
  for (const [key, run] of more.runs) joinInto(into.runs, key, run, joinRun);
  for (const [key, io] of more.io) joinInto(into.io, key, io, joinIo);
  for (const [key, dataset] of more.datasets) joinInto(into.datasets, key, dataset, joinDataset);
}
