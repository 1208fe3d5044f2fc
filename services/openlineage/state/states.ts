import { joinFacets } from "./facets.ts";
import { greatest, type Join, keyed, members, min, named, newest, orNone } from "./join.ts";
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

const nameOrder = (a: Name, b: Name) =>
  compare(a.namespace, b.namespace) || compare(a.name, b.name);

/** Orders texts by their code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const minName: Join<Name> = (a, b) => nameOrder(a, b) <= 0 ? a : b;
const last = orNone<number>(greatest);

export const joinJob: Join<JobState> = members<JobState>({
  name: minName,
  facets: joinFacets,
  inputs: orNone(newest),
  outputs: orNone(newest),
  parent: orNone(newest),
  seen: last,
  named: last,
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
  snapshot: last,
  inputs: last,
  outputs: last,
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
  seen: last,
  written: last,
  dropped: last,
  arrived: last,
  linked: last,
  moved: orNone(joinMoved),
});
