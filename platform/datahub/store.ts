import type { Database, Queryable, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { parseUrn } from "#platform/naming/datahub/urn.ts";
import { type AspectState, joined, noState, valueOf } from "./aspect-state.ts";
import { maxEntriesOf } from "./aspects.ts";
import { ChangedAspects, followChanged } from "./follow.ts";
import type { Change, Deletion, Proposal } from "./model.ts";
import { referencesOf, storable } from "./read.ts";
import * as sql from "./store.queries.ts";

/** What is merged at once. */
interface MergeRequest {
  proposals: readonly Proposal[];
  deletions: readonly Deletion[];
  /** What was last posted before, in milliseconds since the epoch, is posted again. */
  refreshBefore: number;
}

/** Merges what was reported into the stored aspects; a repetition changes nothing. Resolves when it is durable. */
export async function mergeProposals(db: Database, request: MergeRequest): Promise<void> {
  const { proposals, deletions } = request;
  if (proposals.length + deletions.length === 0) return;
  await retryingTransaction(db, async (tx) => {
    await lock(tx, request);
    const changed = new ChangedAspects();
    if (deletions.length > 0) await deleteEntities(tx, deletions, changed);
    await mergeAspects(tx, proposals, changed);
    await mergeEntries(tx, proposals, changed);
    await followChanged(tx, changed);
  });
}

async function lock(
  tx: Transaction,
  { proposals, deletions, refreshBefore }: MergeRequest,
): Promise<void> {
  const seen = new Map<string, { type: string; at: number }>();
  const known = [
    ...proposals.map(({ urn, entityType, at }) => ({ urn, type: entityType, at })),
    ...deletions.map(({ urn, at }) => ({ urn, type: parseUrn(urn)!.type, at })),
  ];
  for (const { urn, type, at } of known) {
    seen.set(urn, { type, at: Math.max(at, seen.get(urn)?.at ?? 0) });
  }
  const rows = [...seen.values()];
  await tx.query(sql.lockEntities, [
    [...seen.keys()],
    rows.map(({ type }) => type),
    rows.map(({ at }) => at),
    refreshBefore,
  ]);
}

type VersionedProposal = Proposal & { change: Exclude<Change, { kind: "entry" }> };

async function mergeAspects(
  tx: Transaction,
  proposals: readonly Proposal[],
  changed: ChangedAspects,
): Promise<void> {
  const given = proposals.filter((one): one is VersionedProposal => one.change.kind !== "entry");
  if (given.length === 0) return;
  const stored = await readStates(tx, given);
  const written = new Map<string, { urn: string; aspect: string; state: AspectState }>();
  const texts = new Map<string, string | undefined>();
  for (const { urn, aspect, change, at, references } of given) {
    const key = `${urn}\n${aspect}`;
    const before = written.get(key)?.state ?? stored.get(key) ?? noState;
    if (!texts.has(key)) texts.set(key, contentOf(before));
    const state = joined(before, change, at);
    if (state === before) continue;
    written.set(key, { urn, aspect, state });
    if (contentOf(state) === texts.get(key)) continue;
    const isWhole = state.steps.length === 0 && change.kind === "set";
    changed.add(urn, aspect, isWhole ? references : referencesOf(valueOf(state)));
  }
  await writeStates(tx, [...written.values()]);
}

/** What an item is made of: patches count by what comes of them. */
function contentOf(state: AspectState): string | undefined {
  if (state.steps.length === 0) return state.value ?? undefined;
  return JSON.stringify(valueOf(state));
}

async function readStates(
  tx: Queryable,
  given: readonly Proposal[],
): Promise<Map<string, AspectState>> {
  const urns = given.map(({ urn }) => urn);
  const rows = await tx.query(sql.aspectsNamed, [urns, given.map(({ aspect }) => aspect)]);
  return new Map(rows.map((row) => [`${row.urn}\n${row.aspect}`, stateOf(row)]));
}

/** The state of a stored aspect. */
export function stateOf({ at, value, steps }: sql.StoredAspect): AspectState {
  return { at, value, steps: steps === null ? [] : JSON.parse(steps) };
}

async function writeStates(
  tx: Transaction,
  rows: { urn: string; aspect: string; state: AspectState }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql.writeAspects, [
    rows.map(({ urn }) => urn),
    rows.map(({ aspect }) => aspect),
    rows.map(({ state }) => state.at),
    rows.map(({ state }) => state.value),
    rows.map(({ state: { steps } }) => steps.length === 0 ? null : storable(steps)),
  ]);
}

async function mergeEntries(
  tx: Transaction,
  proposals: readonly Proposal[],
  changed: ChangedAspects,
): Promise<void> {
  const given = proposals.flatMap(({ change, ...one }) =>
    change.kind === "entry" ? [{ ...one, change }] : []
  );
  if (given.length === 0) return;
  const urns = given.map(({ urn }) => urn);
  const aspects = given.map(({ aspect }) => aspect);
  const added = await tx.query(sql.addEntries, [
    urns,
    aspects,
    given.map(({ change }) => change.id),
    given.map(({ change }) => change.time),
    given.map(({ change }) => change.value),
  ]);
  await tx.query(sql.trimEntries, [urns, aspects, aspects.map(maxEntriesOf)]);
  for (const { urn } of added) changed.urns.add(urn);
}

async function deleteEntities(
  tx: Transaction,
  deletions: readonly Deletion[],
  changed: ChangedAspects,
): Promise<void> {
  const values = [deletions.map(({ urn }) => urn), deletions.map(({ at }) => at)];
  await tx.query(sql.clearEntries, values);
  for (const { urn, aspect } of await tx.query(sql.clearAspects, values)) {
    changed.add(urn, aspect, []);
    changed.shown.add(urn);
  }
}
