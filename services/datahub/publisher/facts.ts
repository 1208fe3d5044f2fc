import { maxNamed } from "#contract/ingestion/limits.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { valueOf } from "#platform/datahub/aspect-state.ts";
import {
  isModel,
  maxEntriesOf,
  modelsOf,
  shownElsewhere,
  timeseriesAspects,
} from "#platform/datahub/aspects.ts";
import { jobKeyAspect } from "#platform/datahub/follow.ts";
import { aspectsOf, newestEntries, type StoredAspect } from "#platform/datahub/store.queries.ts";
import { stateOf } from "#platform/datahub/store.ts";
import { objectOf, type RawObject, textOf } from "#platform/datahub/values.ts";
import { resolveDatasets, type ResolvedDataset } from "#platform/naming/datahub/names.ts";
import { datasetOf, parseUrn } from "#platform/naming/datahub/urn.ts";
import { idOf } from "../mapper/common.ts";
import {
  type Aspects,
  entityCatrn,
  type EntityFacts,
  type Entry,
  isRemoved,
  type Names,
} from "../mapper/facts.ts";
import { joinedAspects } from "../mapper/joined.ts";
import type { PublisherDeps } from "./queue.ts";

type Deps = Pick<PublisherDeps, "naming" | "memory">;

/** Everything that the items of these entities are made of, in their order. */
export async function readFacts(
  deps: Deps,
  tx: Transaction,
  urns: string[],
): Promise<EntityFacts[]> {
  const own = await allAspects(tx, urns);
  const entries = await entriesOf(tx, urns);
  const members = await membersOf(tx, urns);
  const { models, named } = await relatives(tx, urns);
  const ofModels = await allAspects(tx, urns.flatMap((urn) => models.modelsOf.get(urn) ?? []));
  const others = [...new Set([...named, ...[...members.values()].flat()])];
  const shown = await shownOf(tx, others, own);
  const aspectsOfAny = (urn: string) => own.get(urn) ?? shown.get(urn) ?? noAspects;
  const related = [...new Set([...urns, ...others, ...models.modelsOf.keys()])];
  const tables = await resolved(deps, tx, related, aspectsOfAny);
  const datasetOfAny = (urn: string) => tables.get(models.tableOf.get(urn) ?? urn);
  const names: Names = {
    aspectsOf: aspectsOfAny,
    catrnOf: (urn) => datasetOfAny(urn)?.catrn ?? entityCatrn(urn, aspectsOfAny(urn)),
  };
  const lineage = await withOwnLineage(tx, urns, tables);
  return urns.map((urn) => ({
    urn,
    parsed: parseUrn(urn)!,
    aspects: joined(own.get(urn), models.modelsOf.get(urn), ofModels),
    entries: entries.get(urn) ?? noEntries,
    dataset: datasetOfAny(urn),
    isPartOfTable: models.tableOf.has(urn),
    hasOwnLineage: lineage.has(datasetOfAny(urn)?.catrn ?? ""),
    members: memberCatrns(members.get(urn) ?? [], names),
    names,
  }));
}

/** The models and tables among these entities and what they name; and what they and their models name. */
async function relatives(
  tx: Transaction,
  urns: string[],
): Promise<{ models: Models; named: string[] }> {
  const direct = (await tx.query(namedBy, [urns])).map((row) => row.named);
  const siblings = await siblingsOf(tx, urns);
  const near = [...new Set([...direct, ...siblings].filter(isModel))];
  const further = near.length === 0 ? [] : await tx.query(namedBy, [near]);
  const named = [...new Set([...direct, ...siblings, ...further.map((row) => row.named)])];
  return { models: await readModels(tx, [...urns, ...named].filter(isModel)), named };
}

/** Which models build which datasets, by their urns. */
interface Models {
  /** The dataset that a model builds. */
  tableOf: ReadonlyMap<string, string>;
  /** The models of a dataset. */
  modelsOf: ReadonlyMap<string, string[]>;
}

/** The models that name one of these entities as their sibling. */
async function siblingsOf(tx: Transaction, urns: readonly string[]): Promise<string[]> {
  const datasets = urns.filter((urn) => urn.startsWith("urn:li:dataset:") && !isModel(urn));
  if (datasets.length === 0) return [];
  return (await tx.query(siblingModels, [datasets])).map(({ model }) => model).filter(isModel);
}

/**
 * Finds the tables of these models. A model that builds several is the one of the first; a table that was removed is
 * none.
 */
async function readModels(tx: Transaction, models: readonly string[]): Promise<Models> {
  const tableOf = new Map<string, string>();
  const found = new Map<string, string[]>();
  if (models.length === 0) return { tableOf, modelsOf: found };
  for (const [model, table] of await tablesOf(tx, [...new Set(models)])) {
    tableOf.set(model, table);
    found.set(table, [...found.get(table) ?? [], model].sort());
  }
  return { tableOf, modelsOf: found };
}

/** Aspects that say which models build a dataset. */
const modelAspects = ["upstreamLineage", "siblings", "status"];

async function tablesOf(tx: Transaction, models: string[]): Promise<Map<string, string>> {
  const candidates = await tx.query(candidateTables, [models]);
  const ofModels = await someAspects(tx, models, ["siblings"]);
  for (const model of models) {
    for (const urn of modelsOf(ofModels.get(model)).siblings) candidates.push({ model, urn });
  }
  const datasets = candidates.filter(({ urn }) => !isModel(urn));
  const aspects = await someAspects(tx, [...new Set(datasets.map(({ urn }) => urn))], modelAspects);
  const chosen = new Map<string, string>();
  for (const { model, urn } of datasets.sort((a, b) => a.urn < b.urn ? -1 : 1)) {
    const of = aspects.get(urn);
    if (chosen.has(model) || (of && isRemoved(of))) continue;
    const isNamed = modelsOf(ofModels.get(model)).siblings.includes(urn);
    const { copied, siblings } = modelsOf(of);
    if (isNamed || copied === model || siblings.includes(model)) chosen.set(model, urn);
  }
  return chosen;
}

/** The aspects of others that show, and of the nodes in which glossary terms among all of these stand. */
async function shownOf(tx: Transaction, others: string[], own: ReadonlyMap<string, Aspects>) {
  const shown = await someAspects(tx, others, [...shownElsewhere]);
  const terms = [...shown.values(), ...own.values()];
  const nodes = terms.flatMap((aspects) =>
    textOf(aspects.get("glossaryTermInfo")?.parentNode) ?? []
  );
  if (nodes.length === 0) return shown;
  const further = await someAspects(tx, [...new Set(nodes)], ["glossaryNodeInfo"]);
  return new Map([...further, ...shown]);
}

async function allAspects(tx: Transaction, urns: string[]) {
  return urns.length === 0 ? new Map() : grouped(await tx.query(aspectsOf, [urns]));
}

async function someAspects(tx: Transaction, urns: string[], aspects: string[]) {
  return grouped(await tx.query(aspectsNamed, [urns, aspects]));
}

const noAspects: Aspects = new Map();
const noEntries: EntityFacts["entries"] = new Map();

function joined(
  own: Aspects = noAspects,
  models: string[] = [],
  ofModels: ReadonlyMap<string, Aspects>,
): Aspects {
  const live = models.flatMap((model) => ofModels.get(model) ?? [])
    .filter((aspects) => !isRemoved(aspects));
  return live.reduce(joinedAspects, own);
}

function grouped(rows: StoredAspect[]): Map<string, Map<string, RawObject>> {
  const found = new Map<string, Map<string, RawObject>>();
  for (const row of rows) {
    const value = objectOf(valueOf(stateOf(row)));
    if (!value) continue;
    const aspects = found.get(row.urn) ?? new Map<string, RawObject>();
    found.set(row.urn, aspects.set(row.aspect, value));
  }
  return found;
}

async function entriesOf(
  tx: Transaction,
  urns: string[],
): Promise<Map<string, Map<string, Entry[]>>> {
  const max = maxEntriesOf("assertionRunEvent");
  const rows = await tx.query(newestEntries, [urns, [...timeseriesAspects], max]);
  const entries = rows.map(({ value, ...row }) => ({
    ...row,
    value: objectOf(JSON.parse(value)) ?? {},
  }));
  const byUrn = [...Map.groupBy(entries, ({ urn }) => urn)];
  return new Map(byUrn.map(([urn, some]) => [urn, Map.groupBy(some, ({ aspect }) => aspect)]));
}

async function membersOf(tx: Transaction, urns: string[]): Promise<Map<string, string[]>> {
  const groups = urns.filter((urn) =>
    ["container", "dataFlow", "mlModelGroup"].includes(parseUrn(urn)!.type)
  );
  if (groups.length === 0) return new Map();
  return new Map((await tx.query(groupMembers, [groups])).map(({ named, urns }) => [named, urns]));
}

function memberCatrns(urns: string[], names: Names): string[] {
  const live = urns.filter((urn) => !isRemoved(names.aspectsOf(urn)));
  return [...new Set(live.flatMap((urn) => names.catrnOf(urn) ?? []))].sort();
}

async function resolved(
  { naming, memory }: Deps,
  tx: Transaction,
  urns: string[],
  aspectsOfAny: (urn: string) => Aspects,
): Promise<Map<string, ResolvedDataset>> {
  const named = urns.flatMap((urn) => {
    const dataset = datasetOf(urn);
    if (!dataset) return [];
    const instance = textOf(aspectsOfAny(urn).get("dataPlatformInstance")?.instance);
    return [{ urn, name: { ...dataset, ...(instance ? { instance: idOf(instance) } : {}) } }];
  });
  const answers = await resolveDatasets(tx, named.map(({ name }) => name), naming, memory);
  return new Map(named.map(({ urn }, at) => [urn, answers[at]!]));
}

async function withOwnLineage(
  tx: Transaction,
  urns: string[],
  datasets: ReadonlyMap<string, ResolvedDataset>,
): Promise<Set<string>> {
  const catalogued = urns.flatMap((urn) => {
    const dataset = datasets.get(urn);
    return dataset?.catalogued ? [dataset.catrn] : [];
  });
  if (catalogued.length === 0) return new Set();
  return new Set((await tx.query(ownLineage, [catalogued])).map(({ catrn }) => catrn));
}

/** $1 urns: what they name. */
const namedBy = statement<{ named: string }>("dh-facts-named")`
  SELECT DISTINCT named FROM dh_reference WHERE urn = ANY($1::text[])`;

/** Aspects that name the groups of an entity. */
const memberships = ["container", jobKeyAspect, "mlModelProperties"];

/** $1 urns of groups: their members. */
const groupMembers = statement<{ named: string; urns: string[] }>("dh-facts-members")`
  SELECT g.key AS named, m.urns FROM unnest($1::text[]) AS g (key) CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(urn), '{}') AS urns FROM (
      SELECT DISTINCT urn FROM dh_reference
       WHERE named = g.key AND aspect IN ('${memberships.join("', '")}')
       ORDER BY urn LIMIT ${maxNamed}) r) m`;

/** $1 urns, $2 aspects: those aspects of them. */
const aspectsNamed = statement<StoredAspect>("dh-facts-shown")`
  SELECT urn, aspect, at, value, steps FROM dh_aspect WHERE urn = ANY($1::text[]) AND aspect = ANY($2::text[])`;

/** $1 CATRNs: the entities that report by themselves what they are made from. */
const ownLineage = statement<{ catrn: string }>("dh-facts-own-lineage")`
  SELECT e.catrn FROM data_entity e
   WHERE e.catrn = ANY($1::text[])
     AND EXISTS (SELECT FROM lineage_edge l WHERE l.establisher_id = e.id AND l.child_id = e.id)`;

/** $1 urns of datasets: the models that name one of them as their sibling. */
const siblingModels = statement<{ model: string }>("dh-sibling-models")`
  SELECT DISTINCT urn AS model FROM dh_reference WHERE named = ANY($1::text[]) AND aspect = 'siblings'`;

/** How many datasets that may be the table of one model are looked at. */
const maxTables = 20;

/** $1 urns of models: the datasets that name one of them as what they are copied from, or as their sibling. */
export const candidateTables = statement<{ model: string; urn: string }>("dh-candidate-tables")`
  SELECT m.key AS model, r.urn FROM unnest($1::text[]) AS m (key) CROSS JOIN LATERAL (
    SELECT DISTINCT urn FROM dh_reference
     WHERE named = m.key AND aspect IN ('upstreamLineage', 'siblings')
     ORDER BY urn LIMIT ${maxTables}) r`;
