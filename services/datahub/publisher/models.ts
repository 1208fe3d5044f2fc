import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { isModel, modelsOf } from "#platform/datahub/aspects.ts";
import { type Aspects, isRemoved } from "../mapper/facts.ts";

/** Which models build which datasets, by their urns. */
export interface Models {
  /** The dataset that a model builds. */
  tableOf: ReadonlyMap<string, string>;
  /** The models of a dataset. */
  modelsOf: ReadonlyMap<string, string[]>;
}

/** Aspects that say which models build a dataset. */
const deciding = ["upstreamLineage", "siblings", "status"];

type ReadAspects = (urns: string[], aspects: string[]) => Promise<ReadonlyMap<string, Aspects>>;

/** The models that name one of these entities as their sibling. */
export async function siblingsOf(tx: Transaction, urns: readonly string[]): Promise<string[]> {
  const datasets = urns.filter((urn) => urn.startsWith("urn:li:dataset:") && !isModel(urn));
  if (datasets.length === 0) return [];
  return (await tx.query(siblingModels, [datasets])).map(({ model }) => model).filter(isModel);
}

/**
 * Finds the tables of these models. A model that builds several is the one of the first; a table that was removed is
 * none.
 */
export async function readModels(
  tx: Transaction,
  models: readonly string[],
  read: ReadAspects,
): Promise<Models> {
  const tableOf = new Map<string, string>();
  const found = new Map<string, string[]>();
  if (models.length === 0) return { tableOf, modelsOf: found };
  for (const [model, table] of await tables(tx, [...new Set(models)], read)) {
    tableOf.set(model, table);
    found.set(table, [...found.get(table) ?? [], model].sort());
  }
  return { tableOf, modelsOf: found };
}

async function tables(
  tx: Transaction,
  models: string[],
  read: ReadAspects,
): Promise<Map<string, string>> {
  const candidates = await tx.query(candidateTables, [models]);
  const ofModels = await read(models, ["siblings"]);
  for (const model of models) {
    for (const urn of modelsOf(ofModels.get(model)).siblings) candidates.push({ model, urn });
  }
  const datasets = candidates.filter(({ urn }) => !isModel(urn));
  const aspects = await read([...new Set(datasets.map(({ urn }) => urn))], deciding);
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

/** How many datasets that may be the table of one model are looked at. */
const maxTables = 20;

/** $1 urns of models: the datasets that name one of them as what they are copied from, or as their sibling. */
export const candidateTables = statement<{ model: string; urn: string }>("dh-candidate-tables")`
  SELECT m.key AS model, r.urn FROM unnest($1::text[]) AS m (key) CROSS JOIN LATERAL (
    SELECT DISTINCT urn FROM dh_reference
     WHERE named = m.key AND aspect IN ('upstreamLineage', 'siblings')
     ORDER BY urn LIMIT ${maxTables}) r`;

/** $1 urns of datasets: the models that name one of them as their sibling. */
const siblingModels = statement<{ model: string }>("dh-sibling-models")`
  SELECT DISTINCT urn AS model FROM dh_reference WHERE named = ANY($1::text[]) AND aspect = 'siblings'`;
