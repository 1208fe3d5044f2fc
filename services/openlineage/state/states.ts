import { type Facets, joinFacets } from "./facets.ts";
import {
  greatest,
  type Join,
  joinInto,
  keyed,
  members,
  min,
  named,
  newest,
  orNone,
} from "./join.ts";
import type {
  DatasetState,
  IoState,
  JobState,
  Name,
  ObservedColumn,
  RenameTarget,
  RunState,
} from "./model.ts";

/** Maximum number of columns that inputs are remembered to have shown. */
export const maxSeenColumns = 5_000;

/** Maximum number of events of a run that are distinguished, and so counted. */
export const maxCounted = 100;

/** Orders texts by their code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const minName: Join<Name> = (a, b) =>
  (compare(a.namespace, b.namespace) || compare(a.name, b.name)) <= 0 ? a : b;
const latest = orNone<number>(greatest);

export const joinJob: Join<JobState> = members<JobState>({
  name: minName,
  facets: joinFacets,
  inputs: orNone(newest),
  outputs: orNone(newest),
  parent: orNone(newest),
  seen: latest,
  named: latest,
});

const joinEvents: Join<string[] | undefined> = (a = [], b = []) =>
  [...new Set([...a, ...b])].sort(compare).slice(0, maxCounted);

export const joinRun: Join<RunState> = members<RunState>({
  runId: min,
  job: orNone(newest),
  unnamed: orNone(newest),
  mentioned: orNone(newest),
  parent: orNone(newest),
  facets: joinFacets,
  started: orNone<number>(min),
  first: min,
  last: greatest,
  seen: named<string, number>(greatest),
  snapshot: latest,
  inputs: latest,
  outputs: latest,
  events: joinEvents,
});

const keep = <T>(a: T, _b: T): T => a;

export const joinIo: Join<IoState> = members<IoState>({
  run: keep,
  side: keep,
  key: keep,
  name: minName,
  t: greatest,
  facets: joinFacets,
});

const joinColumns = keyed<ObservedColumn>({
  key: ({ name }) => name,
  join: newest,
  order: (a, b) => compare(a.name, b.name),
  max: maxSeenColumns,
});

/** The newest; of one time that to the lesser name. */
const joinMoved: Join<RenameTarget> = (a, b) => (b.t - a.t || compare(a.key, b.key)) <= 0 ? a : b;

export const joinDataset: Join<DatasetState> = members<DatasetState>({
  name: minName,
  facets: joinFacets,
  schema: orNone(newest),
  columns: joinColumns,
  seen: latest,
  written: latest,
  dropped: latest,
  arrived: latest,
  linked: latest,
  moved: orNone(joinMoved),
});

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

/** What of a state an item is made of: equal texts make equal items, but for the passing of time. */
export function jobContent({ name, facets, inputs, outputs, parent, seen }: JobState): string {
  const hashes = [inputs?.h, outputs?.h, parent?.v.key];
  return JSON.stringify([name, hashesOf(facets), hashes, seen === null]);
}

/** As `jobContent`. */
export function runContent(state: RunState): string {
  const { job, unnamed, mentioned, parent, facets, started, first, seen, snapshot } = state;
  const { RUNNING, ...others } = seen;
  const ended = [seen.COMPLETE, seen.FAIL, seen.ABORT].some((at) => at !== undefined);
  // While nothing has ended the run, it matters only that it runs.
  const running = ended ? RUNNING : RUNNING !== undefined;
  const times = [started, first, running, snapshot];
  const names = [job?.v, unnamed?.v, mentioned?.v, parent?.v];
  return JSON.stringify([names, hashesOf(facets), times, sortedEntries(others)]);
}

/** As `jobContent`. */
export function datasetContent(state: DatasetState): string {
  const { name, facets, schema, columns, seen } = state;
  const shown = schema?.v ? [] : columns.map((column) => [column.name, column.h, column.at]);
  const gone = isDropped(state);
  const content = [name, hashesOf(facets), schema?.h, shown, gone, seen === null];
  // Statistics are as of a time, so equal ones reported later are different.
  return JSON.stringify([...content, facets.dataQualityMetrics?.t]);
}

/** As `jobContent`, of an input or output. */
export function ioContent({ facets }: IoState): string {
  return JSON.stringify([
    hashesOf(facets),
    facets.inputStatistics?.t,
    facets.outputStatistics?.t,
  ]);
}

/** Whether a dataset was dropped, and not written or described since. */
export function isDropped({ dropped, written }: DatasetState): boolean {
  return dropped !== null && (written ?? -Infinity) <= dropped;
}

/** The hashes of facets, by name. */
function hashesOf(facets: Facets): [string, string][] {
  return sortedEntries(facets).map(([name, facet]) => [name, facet!.h]);
}

function sortedEntries<T>(object: Record<string, T>): [string, T][] {
  return Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1);
}
