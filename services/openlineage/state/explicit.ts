// The facet `lineage` of a job, or of a dataset that it writes, which is experimental: nothing else reads it.
import { own } from "#kit/own.ts";
import { givenValue, objectOf, objectsOf, textOf } from "./facets.ts";
import {
  type InputDataset,
  type InputEvent,
  maxSide,
  type Name,
  nameKey,
  nameOf,
  namesOf,
} from "./model.ts";

type Facet = Record<string, unknown>;

/** What the facet says of one dataset that the job writes. */
interface Target extends Name {
  /** As the facet `columnLineage`; null when there is no column lineage. */
  columns: Facet | null;
}

/**
 * The event with what the facet `lineage` of its job, and of its outputs, adds: targets among the outputs, their sources
 * among the inputs, and column lineage that replaces the targets' own. Column lineage of the job counts
 * before what the output does.
 */
export function withExplicitLineage(event: InputEvent): InputEvent {
  const entries = event.job ? [...entriesOfOutputs(event), ...entriesOfJob(event)] : [];
  if (entries.length === 0) return event;
  const sources: Name[] = [];
  const targets: Target[] = [];
  for (const entry of entries) {
    const target = nameOf(entry);
    const byField = fieldsOf(entry);
    const inputs = objectsOf(entry, "inputs");
    if (isDataset(entry) && target) {
      sources.push(...datasetsOf([...inputs, ...byField.flatMap(([, given]) => given)]));
      targets.push({ ...target, columns: columnsOf(inputs, byField) });
    } else if (isOwnJob(entry, (name) => nameKey(name) === nameKey(event.job!))) {
      sources.push(...datasetsOf(inputs));
    }
  }
  const outputs = targets.length === 0 ? event.outputs : withTargets(event.outputs ?? [], targets);
  const inputs = sources.length === 0 ? event.inputs : withNames(event.inputs ?? [], sources);
  return { ...event, ...(inputs ? { inputs } : {}), ...(outputs ? { outputs } : {}) };
}

function entriesOfJob({ job }: InputEvent): Facet[] {
  return objectsOf(givenValue(job?.facets, "lineage") ?? undefined, "entries");
}

/** The facet of an output is an entry whose target is known. */
function entriesOfOutputs({ outputs }: InputEvent): Facet[] {
  return outputs?.slice(0, maxSide).flatMap(({ namespace, name, facets }) => {
    const facet = givenValue(facets, "lineage");
    return facet ? [{ ...facet, namespace, name, type: "DATASET" }] : [];
  }) ?? [];
}

/** The jobs that feed a job without a dataset between, by the facet `lineage` of it; `isOwn` knows its names. */
export function feedingJobs(facet: Facet | undefined, isOwn: (name: Name) => boolean): Name[] {
  const entries = objectsOf(facet, "entries").filter((entry) => isOwnJob(entry, isOwn));
  return namesOf(entries.flatMap((entry) => objectsOf(entry, "inputs").filter(isJob)));
}

const isJob = (given: Facet) => textOf(given, "type")?.toUpperCase() === "JOB";
const isDataset = (given: Facet) => textOf(given, "type")?.toUpperCase() === "DATASET";

/** Without a name it is the event's own. */
function isOwnJob(entry: Facet, isOwn: (name: Name) => boolean): boolean {
  const name = nameOf(entry);
  return isJob(entry) && (!name || isOwn(name));
}

const datasetsOf = (inputs: Facet[]) => namesOf(inputs.filter(isDataset));

/** The inputs of each field of an entry, by the field's name. */
function fieldsOf(entry: Facet): [string, Facet[]][] {
  const byName = objectOf(own(entry, "fields"));
  return Object.entries(byName ?? {}).map(([name, given]) => {
    const field = objectOf(given);
    return [name, objectsOf(field, "inputs").filter(isDataset)];
  });
}

/** An input of the whole that names a field concerns every field of the target. */
function columnsOf(inputs: Facet[], byField: [string, Facet[]][]): Facet | null {
  const whole = inputs.filter((input) => isDataset(input) && textOf(input, "field") !== undefined);
  if (whole.length === 0 && byField.length === 0) return null;
  const fields = byField.map(([name, inputFields]) => [name, { inputFields }]);
  return { fields: Object.fromEntries(fields), dataset: whole };
}

function withNames(given: InputDataset[], names: Name[]): InputDataset[] {
  const known = new Set(given.map(nameKey));
  const added = new Map(names.map((name) => [nameKey(name), name]));
  return [...given, ...[...added].filter(([key]) => !known.has(key)).map(([, name]) => name)];
}

function withTargets(given: InputDataset[], targets: Target[]): InputDataset[] {
  const withColumns = targets.filter((target) => target.columns !== null);
  const columns = new Map(withColumns.map((target) => [nameKey(target), target.columns]));
  const names = targets.map(({ namespace, name }) => ({ namespace, name }));
  return withNames(given, names).map((dataset) => {
    const columnLineage = columns.get(nameKey(dataset));
    if (!columnLineage) return dataset;
    return { ...dataset, facets: { ...dataset.facets, columnLineage } };
  });
}
