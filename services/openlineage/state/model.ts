import { type Facet, type Facets, type InputFacets, textOf } from "./facets.ts";
import type { TimedValue } from "./join.ts";

/** A name as OpenLineage writes it. */
export interface Name {
  namespace: string;
  name: string;
}

export type Side = "inputs" | "outputs";
export const sides: readonly Side[] = ["inputs", "outputs"];

export type EventType = "START" | "RUNNING" | "COMPLETE" | "FAIL" | "ABORT" | "OTHER";

/** A dataset as an event names it. */
export interface InputDataset extends Name {
  facets?: InputFacets;
  inputFacets?: InputFacets;
  outputFacets?: InputFacets;
}

/** Maximum number of datasets of a side that are read of one event. */
export const maxSide = 1_000;

/** An event to be merged. `at` is its effective time, in milliseconds since the epoch. */
export interface InputEvent {
  kind: "run" | "job" | "dataset";
  at: number;
  /** Equal for a repeated event. */
  id?: string;
  /** Of a run event. */
  type?: EventType;
  run?: { runId: string; facets?: InputFacets };
  job?: Name & { facets?: InputFacets };
  /** An absent list is undefined. */
  inputs?: InputDataset[];
  outputs?: InputDataset[];
  dataset?: InputDataset;
}

/** How names become keys: pure functions of the names and the configuration, never of the catalogue. */
export interface Keys {
  /** The CATRN of a job. */
  job(name: Name): string;
  /** The CATRN that a dataset has by the template of its namespace. */
  dataset(name: Name): string;
}

/** A dataset that a job event declares. */
export interface DeclaredDataset extends Name {
  key: string;
  columnLineage: Record<string, unknown> | null;
}

export interface JobState {
  /** Of several names that lead to one job, the least. */
  name: Name;
  facets: Facets;
  inputs: TimedValue<DeclaredDataset[]> | null;
  outputs: TimedValue<DeclaredDataset[]> | null;
  /** The job that started it. */
  parent: TimedValue<Name & { key: string }> | null;
  /** When it last had an event of its own, and when it was last named as a parent. */
  seen: number | null;
  named: number | null;
}

type EventTimes = Partial<Record<Exclude<EventType, "OTHER">, number>>;

export interface RunState {
  runId: string;
  /** The job of the newest event whose job has a name, and of the newest whose job has not. */
  job: TimedValue<string> | null;
  unnamed: TimedValue<string> | null;
  /** The job by which the runs that it started name it. Like `parent`, missing in older states. */
  mentioned?: TimedValue<string> | null;
  /** The key of the run that started it. */
  parent?: TimedValue<string> | null;
  facets: Facets;
  /** The first START, the first and the last event of any type. */
  started: number | null;
  first: number;
  last: number;
  /** The last event of each type. */
  seen: EventTimes;
  /** The last event with complete inputs and outputs. */
  snapshot: number | null;
  /** The newest input and output. */
  inputs: number | null;
  outputs: number | null;
  /** Ids of its events, by which they are counted; of many the least. Missing in older states. */
  events?: string[];
}

/** An input or output of a run. */
export interface IoState {
  run: string;
  side: Side;
  /** Key of the dataset. */
  key: string;
  name: Name;
  t: number;
  facets: Facets;
}

/** A column that an input showed. */
export interface ObservedColumn extends TimedValue<Record<string, unknown>> {
  name: string;
  /** Its place in the list. */
  at: number;
}

/** The name that a RENAME gave to what had this one. */
export interface RenameTarget {
  key: string;
  t: number;
}

export interface DatasetState {
  name: Name;
  facets: Facets;
  /** What an output of a finished run, or a declaration, said; it is replaced whole. */
  schema: Facet | null;
  /** What inputs, and outputs of runs that are not finished, showed. */
  columns: ObservedColumn[];
  /** When it was last named by an event, and last written or described. */
  seen: number | null;
  written: number | null;
  dropped: number | null;
  /** When a RENAME last gave it this name, and when the symlinks of another dataset last contained it. */
  arrived?: number | null;
  linked?: number | null;
  /** The last RENAME that took this name away. Like the two above, missing in older states. */
  moved?: RenameTarget | null;
}

type FacetValue = NonNullable<Facet["v"]>;

/** A name that a facet gives; null when it is not whole. */
export function nameOf(given: FacetValue | undefined): Name | null {
  const namespace = textOf(given, "namespace");
  const name = textOf(given, "name");
  return namespace !== undefined && name !== undefined ? { namespace, name } : null;
}

/** The whole names that some objects give. */
export function namesOf(given: FacetValue[]): Name[] {
  return given.flatMap((each) => nameOf(each) ?? []);
}

/** Equal for equal names. */
export function nameKey({ namespace, name }: Name): string {
  return JSON.stringify([namespace, name]);
}
