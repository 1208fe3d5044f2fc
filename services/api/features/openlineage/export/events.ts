import { exportedJobName, exportedName, type NameRef } from "#platform/naming/openlineage/names.ts";
import { maxExportedNesting, maxExportedSide } from "./limits.ts";
import type { ColumnRow, ExportedEntity, FieldRow, Neighbour } from "./queries.ts";

/** An event, ready to be written as JSON. */
type Event = Record<string, unknown>;

type Facet = Record<string, unknown>;
type Today = NonNullable<ExportedEntity["today"]>;

/** Column edges by the CATRN of their target. */
type ColumnsOf = ReadonlyMap<string, ColumnRow[]>;

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

/** A job that is only named by others is known by its CATRN, if events named it. */
const isJob = ([catrn, job]: Neighbour) => job || jobOfEvents.test(catrn);

// expression-ok -- one class between slashes
const jobOfEvents = /^\/\/openlineage\/namespaces\/[^/]+\/jobs\/[^/]+$/;

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
  const columns: ColumnsOf = Map.groupBy(today?.columns ?? [], ([target]) => target);
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

function frame(kind: "JobEvent" | "DatasetEvent", eventTime: string): Event {
  return { eventTime, producer, schemaURL: schemaUrl(kind) };
}

/** Who made the events. */
const producer = "urn:tributary:export";

const spec = "https://openlineage.io/spec";
const schemaUrl = (event: "JobEvent" | "DatasetEvent") =>
  `${spec}/2-0-2/OpenLineage.json#/$defs/${event}`;

/** The facets of a dataset. */
function datasetFacets({ type, description, fields, owners }: Today): Facet {
  return {
    ...(fields.length === 0
      ? {}
      : { schema: facet("1-1-1/SchemaDatasetFacet", { fields: nested(fields) }) }),
    ...documentation("1-0-0/DocumentationDatasetFacet", description),
    ...ownership("1-0-1/OwnershipDatasetFacet", owners),
    ...(type === null
      ? {}
      : { datasetType: facet("1-0-0/DatasetTypeDatasetFacet", { datasetType: type }) }),
  };
}

/** The facets of a job. */
function jobFacets({ description, sql, url, owners }: Today): Facet {
  return {
    ...documentation("1-0-0/DocumentationJobFacet", description),
    ...(sql === null ? {} : { sql: facet("1-0-0/SQLJobFacet", { query: sql }) }),
    ...(url === null ? {} : {
      sourceCodeLocation: facet("1-0-0/SourceCodeLocationJobFacet", { type: "url", url }),
    }),
    ...ownership("1-0-0/OwnershipJobFacet", owners),
  };
}

function facet(schema: string, members: Facet): Facet {
  const name = schema.split("/")[1];
  const url = `${spec}/facets/${schema}.json#/$defs/${name}`;
  return { _producer: producer, _schemaURL: url, ...members };
}

/**
 * The facet for what the others cannot say: jobs that feed a job without a dataset between, and columns that are made
 * from datasets as wholes.
 */
function explicitLineage(
  feeding: Neighbour[],
  outputs: string[],
  columnsOf: ColumnsOf,
): Facet {
  const inputs = feeding.map(([catrn]) => ({ ...exportedJobName(catrn), type: "JOB" }));
  const wholly = outputs.filter((catrn) =>
    columnsOf.get(catrn)?.some(([, path, , from]) => path && !from)
  );
  const entries = [
    ...(inputs.length === 0 ? [] : [{ type: "JOB", inputs }]),
    ...wholly.map((catrn) => targetEntry(catrn, columnsOf.get(catrn)!)),
  ];
  if (entries.length === 0) return {};
  const url = `${spec}/facets/1-0-0/LineageFacet.json#/$defs/LineageJobFacet`;
  return { lineage: { _producer: producer, _schemaURL: url, entries } };
}

/** All column lineage of a target: it replaces its facet `columnLineage`. */
function targetEntry(catrn: string, columns: ColumnRow[]): Facet {
  const { fields, whole } = sourcesOf(columns, { type: "DATASET" });
  const byName = [...fields].map(([name, inputs]) => [name, { inputs }]);
  const inputs = whole.length === 0 ? {} : { inputs: whole };
  return {
    ...exportedName(catrn),
    type: "DATASET",
    ...inputs,
    fields: Object.fromEntries(byName),
  };
}

/** The facet that says how many inputs and outputs an event leaves out. */
function cutFacet(cut: string[]): Facet {
  if (cut.length === 0) return {};
  const url = `${spec}/2-0-2/OpenLineage.json#/$defs/JobFacet`;
  return { tributary_cut: { _producer: producer, _schemaURL: url, cut } };
}

/** The facet of a dataset that a job writes: which columns are made from which. */
function columnLineage(columns: ColumnRow[]): Facet {
  // A source that is a whole dataset has no place in this facet.
  const { fields, whole } = sourcesOf(columns.filter(([, , , field]) => field !== null));
  if (fields.size === 0 && whole.length === 0) return {};
  const byName = [...fields].map(([name, inputFields]) => [name, { inputFields }]);
  return {
    columnLineage: facet("1-2-0/ColumnLineageDatasetFacet", {
      fields: Object.fromEntries(byName),
      ...(whole.length === 0 ? {} : { dataset: whole }),
    }),
  };
}

/** What each field, and the whole, of a target is made from; `more` is in each source. */
function sourcesOf(columns: ColumnRow[], more: Facet = {}) {
  const fields = new Map<string, Facet[]>();
  const whole: Facet[] = [];
  for (const [, targetPath, source, path, ...properties] of columns) {
    const field = path === null ? {} : { field: path };
    const named = { ...exportedName(source), ...more, ...field };
    const input = { ...named, transformations: [transformation(...properties)] };
    const existing = targetPath === null ? whole : fields.get(targetPath);
    if (existing) existing.push(input);
    else fields.set(targetPath!, [input]);
  }
  return { fields, whole };
}

function transformation(
  kind: 0 | 1,
  subtype: string | null,
  masking: boolean | null,
  description: string | null,
): Facet {
  return {
    type: kind === 0 ? "DIRECT" : "INDIRECT",
    ...(subtype === null ? {} : { subtype }),
    ...(description === null ? {} : { description }),
    ...(masking === null ? {} : { masking }),
  };
}

function documentation(schema: string, description: string | null): Facet {
  return description === null ? {} : { documentation: facet(schema, { description }) };
}

function ownership(schema: string, owners: Today["owners"]): Facet {
  if (owners.length === 0) return {};
  const named = owners.map(([name, type]) => (type === null ? { name } : { name, type }));
  return { ownership: facet(schema, { owners: named }) };
}

/** Fields in their order, each with those that are nested in it; one nested in none that is there stands at the top. */
function nested(rows: FieldRow[]): Facet[] {
  const known = new Set(rows.map(([catrn]) => catrn));
  const below = Map.groupBy(
    rows,
    ([catrn, parent]) => parent !== null && known.has(parent) && parent !== catrn ? parent : null,
  );
  const treeOf = (parent: string | null, level: number): Facet[] =>
    (below.get(parent) ?? []).map(([catrn, , name, type, logicalType, description]) => {
      const text = logicalType ?? typeText(type);
      const fields = level < maxExportedNesting ? treeOf(catrn, level + 1) : [];
      return {
        name,
        ...(text === null ? {} : { type: text }),
        ...(description === null ? {} : { description }),
        ...(fields.length === 0 ? {} : { fields }),
      };
    });
  return treeOf(null, 1);
}

/** A text that is read back as the type. */
function typeText(type: FieldRow[3]): string | null {
  if (type === "TYPE_UNKNOWN") return null;
  return type === "TYPE_DURATION" ? "interval" : type.slice("TYPE_".length).toLowerCase();
}
