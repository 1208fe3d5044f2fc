import { type Delta, joinDataset } from "./states.ts";
import {
  contentHash,
  datasetFacets,
  facetOf,
  facetsOf,
  givenValue,
  type InputFacets,
  objectOf,
  objectsOf,
  textOf,
} from "./facets.ts";
import { joinInto } from "./join.ts";
import {
  type DatasetState,
  type InputDataset,
  type Keys,
  type Name,
  nameOf,
  type ObservedColumn,
} from "./model.ts";

/** How an event names a dataset. */
interface DatasetReference {
  at: number;
  /** What it says of the schema replaces what was known. */
  declares: boolean;
  /** The dataset exists afterwards, even if it was dropped before. */
  writes: boolean;
}

/** Most other names of a dataset that are read of one event. */
export const maxSymlinks = 50;

/** Adds what an event says of a dataset; returns the dataset's key. */
export function addDataset(
  delta: Delta,
  keys: Keys,
  given: InputDataset,
  by: DatasetReference,
): string {
  const { at } = by;
  const key = keys.dataset(given);
  const state = datasetOf(given);
  state.facets = facetsOf(datasetFacets, at, given.facets, given.inputFacets, given.outputFacets);
  state.seen = at;
  if (by.writes) state.written = at;
  addSchema(state, given.facets, by);
  addLife(state, delta, keys, { key, facets: given.facets, at });
  joinInto(delta.datasets, key, state, joinDataset);
  for (const name of otherNames(state.facets.symlinks?.v ?? undefined)) {
    joinInto(delta.datasets, keys.dataset(name), { ...datasetOf(name), linked: at }, joinDataset);
  }
  return key;
}

function datasetOf({ namespace, name }: Name): DatasetState {
  return {
    name: { namespace, name },
    facets: {},
    schema: null,
    columns: [],
    seen: null,
    written: null,
    dropped: null,
    arrived: null,
    linked: null,
    moved: null,
  };
}

function addSchema(
  state: DatasetState,
  facets: InputFacets,
  { at, declares }: DatasetReference,
): void {
  if (declares) state.schema = facetOf(facets, "schema", at);
  else state.columns = seenColumns(givenValue(facets, "schema") ?? undefined, at);
}

function seenColumns(schema: Record<string, unknown> | undefined, t: number): ObservedColumn[] {
  const columns = new Map<string, ObservedColumn>();
  for (const [at, field] of objectsOf(schema, "fields").entries()) {
    const name = textOf(field, "name");
    if (name !== undefined && !columns.has(name)) {
      // Of one time, its place decides as well.
      columns.set(name, { name, at, v: field, t, h: contentHash([at, field]) });
    }
  }
  return [...columns.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Adds what an event says of the beginning, the end, or another name of a dataset. */
function addLife(
  state: DatasetState,
  delta: Delta,
  keys: Keys,
  { key, facets, at }: { key: string; facets: InputFacets; at: number },
): void {
  const change = givenValue(facets, "lifecycleStateChange") ?? undefined;
  const kind = textOf(change, "lifecycleStateChange")?.toUpperCase();
  if (kind === "DROP") {
    state.dropped = at;
    state.written = null;
  }
  if (kind !== "RENAME") return;
  const before = objectOf(change?.previousIdentifier);
  const name = nameOf(before);
  if (!name) return;
  const earlier = keys.dataset(name);
  if (earlier === key) return;
  state.written = at;
  state.arrived = at;
  const former = { ...datasetOf(name), moved: { key, t: at } };
  joinInto(delta.datasets, earlier, former, joinDataset);
}

/** Another name of a dataset; `type` as given, such as TABLE or LOCATION. */
interface OtherName extends Name {
  type: string;
}

/** The names that the facet `symlinks` gives, at most `maxSymlinks`. */
export function otherNames(symlinks: Record<string, unknown> | undefined): OtherName[] {
  return objectsOf(symlinks, "identifiers").slice(0, maxSymlinks).flatMap((given) => {
    const name = nameOf(given);
    return name ? [{ ...name, type: textOf(given, "type")?.toUpperCase() ?? "" }] : [];
  });
}
