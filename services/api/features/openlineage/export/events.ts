import { exportedJobName, exportedName, type NameRef } from "#platform/naming/openlineage/names.ts";
import {
  columnLineage,
  cutFacet,
  datasetFacets,
  explicitLineage,
  jobFacets,
  producer,
  schemaUrl,
} from "./facets.ts";
import { maxExportedSide } from "./limits.ts";
import type { ColumnRow, ExportedEntity, Neighbour } from "./queries.ts";

/** An event, ready to be written as JSON. */
type Event = Record<string, unknown>;

/**
 * The events that describe an entity: for a job one with its inputs and outputs; for a dataset one with its schema, and
 * if it is made from other datasets directly, one of a job that represents this. As of a past time nothing is exported
 * of a dataset itself.
 */
export function eventsOf(entity: ExportedEntity, eventTime: string): Event[] {
  if (!entity.dataset) return [jobEvent(entity, eventTime)];
  const { catrn, today } = entity;
  const dataset = exportedName(catrn);
  const events: Event[] = [];
  if (today) {
    const facets = datasetFacets(today);
    events.push({ ...frame("DatasetEvent", eventTime), dataset: { ...dataset, facets } });
  }
  const parents = entity.parents.filter((one) => !isJob(one));
  const described = today && (today.sql !== null || today.columns.length > 0);
  if (parents.length > 0 || described) {
    events.push(derivation({ ...entity, parents }, dataset, eventTime));
  }
  return events;
}

// expression-ok -- one class between slashes
const jobOfEvents = /^\/\/openlineage\/namespaces\/[^/]+\/jobs\/[^/]+$/;

/** A job that is only named by others is known by its CATRN, if events named it. */
const isJob = ([catrn, job]: Neighbour) => job || jobOfEvents.test(catrn);

function frame(kind: "JobEvent" | "DatasetEvent", eventTime: string): Event {
  return { eventTime, producer, schemaURL: schemaUrl(kind) };
}

function jobEvent({ catrn, parents, children, today }: ExportedEntity, eventTime: string): Event {
  const inputs = datasetsOf(parents);
  const outputs = datasetsOf(children);
  const facets = {
    ...(today ? jobFacets(today) : {}),
    ...cutFacet([
      ...(parents.length > maxExportedSide ? ["inputs"] : []),
      ...(children.length > maxExportedSide ? ["outputs"] : []),
    ]),
  };
  const feeding = parents.filter(isJob).slice(0, maxExportedSide);
  const job = { ...exportedJobName(catrn), facets };
  return eventOf(job, { inputs, outputs, feeding }, today, eventTime);
}

/** The job that stands for how a dataset is made from others: named as the dataset, with an end of its own. */
function derivation(
  { catrn, parents, today }: ExportedEntity,
  of: NameRef,
  eventTime: string,
): Event {
  const facets = {
    ...(today ? jobFacets({ ...today, description: null, owners: [] }) : {}),
    ...cutFacet(parents.length > maxExportedSide ? ["inputs"] : []),
  };
  const job = { namespace: of.namespace, name: `${of.name}.derivation`, facets };
  const sides = { inputs: datasetsOf(parents), outputs: [catrn], feeding: [] };
  return eventOf(job, sides, today, eventTime);
}

function datasetsOf(neighbours: Neighbour[]): string[] {
  return neighbours.filter((one) => !isJob(one)).slice(0, maxExportedSide).map(([catrn]) => catrn);
}

/** CATRNs of the datasets of an event, and the jobs that feed that of the event. */
interface Sides {
  inputs: string[];
  outputs: string[];
  feeding: Neighbour[];
}

function eventOf(
  { facets, ...name }: NameRef & { facets: Event },
  { inputs, outputs, feeding }: Sides,
  today: ExportedEntity["today"],
  eventTime: string,
): Event {
  const columns = byTarget(today?.columns ?? []);
  return {
    ...frame("JobEvent", eventTime),
    job: { ...name, facets: { ...facets, ...explicitLineage(feeding, outputs, columns) } },
    inputs: inputs.map((catrn) => ({ ...exportedName(catrn) })),
    outputs: outputs.map((catrn) => {
      const facets = columnLineage(columns.get(catrn) ?? []);
      return { ...exportedName(catrn), ...(Object.keys(facets).length === 0 ? {} : { facets }) };
    }),
  };
}

function byTarget(columns: ColumnRow[]): Map<string, ColumnRow[]> {
  const found = new Map<string, ColumnRow[]>();
  for (const column of columns) {
    const existing = found.get(column[0]);
    if (existing) existing.push(column);
    else found.set(column[0], [column]);
  }
  return found;
}
