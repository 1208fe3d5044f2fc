import type { Transaction } from "#metadata/postgres/database.ts";
import { valueOf } from "#platform/datahub/aspect-state.ts";
import { maxEntriesOf, shownElsewhere, timeseriesAspects } from "#platform/datahub/aspects.ts";
import { stateOf } from "#platform/datahub/store.ts";
import { aspectsOf, newestEntries, type StoredAspect } from "#platform/datahub/store.queries.ts";
import { objectOf, type RawObject, textOf } from "#platform/datahub/values.ts";
import { resolveDatasets, type ResolvedDataset } from "#platform/naming/datahub/resolve.ts";
import { datasetOf, parseUrn } from "#platform/naming/datahub/urn.ts";
import { entityCatrn } from "../mapper/catrns.ts";
import { idOf } from "../mapper/common.ts";
import {
  type Aspects,
  type EntityFacts,
  type Entry,
  isRemoved,
  type Names,
} from "../mapper/facts.ts";
import type { PublisherDeps } from "./deps.ts";
import * as sql from "./facts.queries.ts";

/** Everything that the items of these entities are made of, in their order. */
export async function readFacts(
  deps: Pick<PublisherDeps, "naming" | "memory">,
  tx: Transaction,
  urns: string[],
): Promise<EntityFacts[]> {
  const own = grouped(await tx.query(aspectsOf, [urns]));
  const entries = await entriesOf(tx, urns);
  const members = await membersOf(tx, urns);
  const named = (await tx.query(sql.namedBy, [urns])).map((row) => row.named);
  const others = [...new Set([...named, ...[...members.values()].flat()])];
  const shown = grouped(await tx.query(sql.shownAspects, [others, [...shownElsewhere]]));
  const aspectsOfAny = (urn: string) => own.get(urn) ?? shown.get(urn) ?? noAspects;
  const datasets = await resolved(deps, tx, [...new Set([...urns, ...others])], aspectsOfAny);
  const names: Names = {
    aspectsOf: aspectsOfAny,
    catrnOf: (urn) => datasets.get(urn)?.catrn ?? entityCatrn(urn, aspectsOfAny(urn)),
  };
  const lineage = await withOwnLineage(tx, urns, datasets);
  return urns.map((urn) => ({
    urn,
    parsed: parseUrn(urn)!,
    aspects: own.get(urn) ?? noAspects,
    entries: entries.get(urn) ?? noEntries,
    dataset: datasets.get(urn),
    hasOwnLineage: lineage.has(datasets.get(urn)?.catrn ?? ""),
    members: memberCatrns(members.get(urn) ?? [], names),
    names,
  }));
}

const noAspects: Aspects = new Map();
const noEntries: EntityFacts["entries"] = new Map();

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
  const found = new Map<string, Map<string, Entry[]>>();
  for (const row of await tx.query(newestEntries, [urns, [...timeseriesAspects], max])) {
    const aspects = found.get(row.urn) ?? new Map<string, Entry[]>();
    const entry = { time: row.time, value: objectOf(JSON.parse(row.value)) ?? {} };
    aspects.set(row.aspect, [...aspects.get(row.aspect) ?? [], entry]);
    found.set(row.urn, aspects);
  }
  return found;
}

async function membersOf(tx: Transaction, urns: string[]): Promise<Map<string, string[]>> {
  const groups = urns.filter((urn) =>
    ["container", "dataFlow", "mlModelGroup"].includes(parseUrn(urn)!.type)
  );
  const members = new Map<string, string[]>();
  if (groups.length === 0) return members;
  for (const { named, urn } of await tx.query(sql.membersOf, [groups])) {
    members.set(named, [...members.get(named) ?? [], urn]);
  }
  return members;
}

function memberCatrns(urns: string[], names: Names): string[] {
  const live = urns.filter((urn) => !isRemoved(names.aspectsOf(urn)));
  return [...new Set(live.flatMap((urn) => names.catrnOf(urn) ?? []))].sort();
}

async function resolved(
  { naming, memory }: Pick<PublisherDeps, "naming" | "memory">,
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
  return new Set((await tx.query(sql.withOwnLineage, [catalogued])).map(({ catrn }) => catrn));
}
