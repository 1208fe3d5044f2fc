import { EventLoopYielder } from "#kit/event-loop.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { leave } from "#platform/composed-source/removals.ts";
import { type MappedRow, round, type RoundResult } from "#platform/composed-source/round.ts";
import { type MappedItems, mappedItems } from "#platform/items.ts";
import type { ResolvedName } from "#platform/naming/model.ts";
import { resolveNames } from "#platform/naming/openlineage/resolve.ts";
import { mapDataset } from "../mapper/dataset.ts";
import { qualityMetrics } from "../mapper/metrics.ts";
import {
  type Aliases,
  aliasesOf,
  type AliasWarning,
  canonicalOf,
  joinedState,
} from "../state/aliases.ts";
import type { DatasetState } from "../state/model.ts";
import { isDropped } from "../state/states.ts";
import * as dirty from "../store/dirty.queries.ts";
import type { PublisherDeps } from "./deps.ts";
import * as facts from "./facts.queries.ts";
import { type ClaimedDataset, queue, type Table, takeDatasets } from "./rows.queries.ts";
import { parsed } from "./runs.ts";

/** Maximum number of datasets of a round. */
const limit = 100;

/** Posts datasets, each by the name that stands for its group. */
export function publishDatasets(deps: PublisherDeps): Promise<RoundResult> {
  return round<ClaimedDataset, Table>(deps, {
    table: "ol_dataset",
    limit,
    take: (tx, now, max) => tx.query(takeDatasets, [now, max]),
    mapRows: (tx, rows) => mapRows(deps, tx, rows),
  });
}

/** What is known of some datasets and of all that share a group with one of them. */
interface DatasetContext {
  states: Map<string, DatasetState>;
  resolved: Map<string, ResolvedName>;
  /** Of each dataset, the one that stands for its group. */
  canonical: Map<string, string>;
  groups: Map<string, string[]>;
  aliases: Aliases;
  /** CATRNs of the columns of datasets that collectors report and for which events have statistics, by name. */
  fields: Map<string, Map<string, string>>;
}

interface MappedDataset {
  row: ClaimedDataset;
  catrn: string;
  match: string;
  /** The entity that is posted of it. */
  posted: string | null;
  mapped: MappedItems;
}

async function mapRows(
  deps: PublisherDeps,
  tx: Transaction,
  rows: ClaimedDataset[],
): Promise<MappedRow[]> {
  const known = await knownOf(deps, tx, rows);
  const named: MappedDataset[] = [];
  const yielder = new EventLoopYielder();
  for (const row of rows) {
    await yielder.yieldWhenDue();
    named.push(nameOne(deps, known, row));
  }
  await tx.query(facts.named, [
    named.map(({ row }) => row.key),
    named.map(({ catrn }) => catrn),
    named.map(({ match }) => match),
    named.map(({ posted }) => posted),
    deps.clock.now(),
  ]);
  await leaveAndStay(tx, named);
  const moved = named.filter(({ row, catrn }) => catrn !== (row.catrn ?? row.key));
  if (moved.length > 0) {
    const keys = moved.map(({ row }) => row.key);
    // What shares a group with them is made of the same names.
    await tx.query(dirty.dirtyConnected, [
      keys.filter((key) => (known.groups.get(key)?.length ?? 0) > 1),
    ]);
    await tx.query(dirty.dirtyTouching, [keys]);
    await tx.query(dirty.dirtyNaming, [keys]);
  }
  return named.map(({ row, posted, mapped }) => {
    const { namespace } = known.states.get(row.key)!.name;
    // What stands for nothing now, or for something else, is posted whatever was posted of it before.
    const hash = row.posted_catrn === posted ? row.posted_hash : null;
    return { row: { ...row, posted_hash: hash }, namespace, mapped };
  });
}

function nameOne(deps: PublisherDeps, known: DatasetContext, row: ClaimedDataset): MappedDataset {
  const canonical = known.canonical.get(row.key) ?? row.key;
  const { catrn, match, kind, catalogued } = known.resolved.get(canonical)!;
  const nothing: MappedDataset = { row, catrn, match, posted: null, mapped: mappedItems([], null) };
  if (canonical !== row.key) return nothing;
  const members = known.groups.get(row.key) ?? [row.key];
  const own = known.states.get(row.key)!;
  const stored = members.flatMap((key) => {
    const state = known.states.get(key);
    return state ? [{ key, state }] : [];
  });
  const state = { ...joinedState(stored, known.aliases), name: own.name };
  const dropped = isDropped(state);
  if (dropped && catalogued) {
    const reason = "an event reports that it was dropped, but a collector still reports it";
    deps.intakeWarnings.note({ ...own.name, kind: "dropped", reason });
  }
  // Only named by others, or dropped.
  if (state.seen === null || dropped) return nothing;
  if (catalogued) {
    // Its collector knows better, but for figures, which it may not know.
    const fieldOf = (path: string) => known.fields.get(catrn)?.get(path);
    const metrics = qualityMetrics(catrn, state.facets.dataQualityMetrics, fieldOf);
    return { ...nothing, mapped: mappedItems([], null, metrics) };
  }
  return { ...nothing, posted: catrn, mapped: mapDataset({ catrn, kind, state }) };
}

async function knownOf(
  deps: PublisherDeps,
  tx: Transaction,
  rows: ClaimedDataset[],
): Promise<DatasetContext> {
  const keys = rows.map(({ key }) => key);
  const links = await tx.query(dirty.connectedLinks, [keys]);
  const aliases = aliasesOf(
    links.map(({ from_key, to_key, ...link }) => ({ from: from_key, to: to_key, ...link })),
  );
  const groups = new Map<string, string[]>();
  for (const group of aliases.groups) for (const key of group) groups.set(key, group);
  const all = [...new Set(keys.flatMap((key) => groups.get(key) ?? [key]))];
  const states = new Map(rows.map(({ key, state }) => [key, parsed<DatasetState>(state)]));
  const others = all.filter((key) => !states.has(key));
  const stored = others.length === 0 ? [] : await tx.query(facts.datasetStates, [others]);
  for (const { key, state } of stored) states.set(key, parsed<DatasetState>(state));
  const named = [...states].map(([key, { name }]) => ({ key, name }));
  const names = named.map(({ name }) => name);
  const answers = await resolveNames(tx, names, deps.naming, deps.memory);
  const resolved = new Map(named.map(({ key }, at) => [key, answers[at]!]));
  for (const { match } of answers) deps.metrics.resolved(match);
  noteWarnings(deps, { states, resolved, aliases }, new Set(keys));
  const found = answers.filter(({ catalogued }) => catalogued).map(({ catrn }) => catrn);
  const catalogued = [...new Set(found)];
  const canonical = await canonicals(tx, { groups, resolved, aliases }, catalogued);
  const fields = await columnsOf(tx, states, catalogued);
  return { states, resolved, groups, aliases, canonical, fields };
}

/** The columns of catalogued datasets, for those that have figures in one of their names. */
async function columnsOf(
  tx: Transaction,
  states: Map<string, DatasetState>,
  catalogued: string[],
): Promise<DatasetContext["fields"]> {
  const fields: DatasetContext["fields"] = new Map();
  if (![...states.values()].some(({ facets }) => facets.dataQualityMetrics?.v)) return fields;
  for (const { dataset, name, catrn } of await tx.query(facts.columnCatrns, [catalogued])) {
    const columns = fields.get(dataset) ?? new Map<string, string>();
    fields.set(dataset, columns.set(name, catrn));
  }
  return fields;
}

async function canonicals(
  tx: Transaction,
  { groups, resolved, aliases }: Pick<DatasetContext, "groups" | "resolved" | "aliases">,
  catalogued: string[],
): Promise<Map<string, string>> {
  const canonical = new Map<string, string>();
  const wanted = new Set(
    [...groups.values()].filter((group) => group.some((k) => resolved.has(k))),
  );
  if (wanted.size === 0) return canonical;
  const rows = catalogued.length === 0 ? [] : await tx.query(facts.entityIds, [catalogued]);
  const ids = new Map(rows.map(({ catrn, id }) => [catrn, id]));
  for (const group of wanted) {
    const members = group.filter((key) => resolved.has(key)).map((key) => {
      const { catrn, catalogued } = resolved.get(key)!;
      return { key, id: catalogued ? ids.get(catrn) ?? null : null };
    });
    const first = canonicalOf(members, aliases);
    for (const key of group) canonical.set(key, first);
  }
  return canonical;
}

/** Entities that are no longer posted leave, unless they are posted by another name. */
async function leaveAndStay(tx: Transaction, named: MappedDataset[]): Promise<void> {
  const posted = named.flatMap(({ posted: catrn }) => catrn === null ? [] : [catrn]);
  const stays = new Set(posted);
  const removals = named.filter(({ row, posted: catrn }) =>
    row.posted_catrn !== null && row.posted_catrn !== catrn && !stays.has(row.posted_catrn)
  );
  if (posted.length > 0) await tx.query(queue.stay, [posted]);
  await leave(
    tx,
    queue,
    removals.map(({ row, catrn }) => ({
      catrn: row.posted_catrn!,
      receivedAt: row.received_at,
      ...(catrn === row.posted_catrn ? {} : { successor: catrn }),
    })),
  );
}

const aliasReasons: Record<AliasWarning["reason"], string> = {
  location_shared: "another table is at the same location by a newer event",
  too_many_names: "has more than 50 names; further ones stand for themselves",
};

/** Records warnings for names of the datasets of these keys that could not be used as intended. */
function noteWarnings(
  { intakeWarnings }: Pick<PublisherDeps, "intakeWarnings">,
  { states, resolved, aliases }: Pick<DatasetContext, "states" | "resolved" | "aliases">,
  keys: ReadonlySet<string>,
): void {
  for (const { key, reason } of aliases.warnings) {
    const name = states.get(key)?.name;
    if (name && keys.has(key)) {
      intakeWarnings.note({ ...name, kind: "alias", reason: aliasReasons[reason] });
    }
  }
  for (const key of keys) {
    if (!resolved.get(key)?.warnings.includes("ambiguous")) continue;
    const reason = "several catalogued datasets may be meant; none of them was taken";
    intakeWarnings.note({ ...states.get(key)!.name, kind: "ambiguous", reason });
  }
}
