import { EventLoopYielder } from "#kit/event-loop.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { leave } from "#platform/composed-source/removals.ts";
import { type MappedRow, round } from "#platform/composed-source/round.ts";
import { addFollowed } from "#platform/datahub/store.queries.ts";
import { datasetOf } from "#platform/naming/datahub/urn.ts";
import { type EntityFacts, isRemoved, platformOfEntity } from "../mapper/facts.ts";
import { mapEntity } from "../mapper/map.ts";
import { applyTermLinks } from "../terms/apply.ts";
import { recordTermLinks, type TermLink, termLinks } from "../terms/links.ts";
import { readFacts } from "./facts.ts";
import { followChanges } from "./followers.ts";
import {
  type ClaimedEntity,
  named,
  postedAs,
  type PublisherDeps,
  queue,
  takeDatasets,
  takeOthers,
  warningNamespace,
} from "./queue.ts";

/** Maximum number of entities of a round. */
const limit = 100;

/**
 * Marks what names something that changed, to be mapped again; then runs one round over datasets, whose CATRNs others
 * name, and one over all others; then links terms. Resolves with how many entities were taken.
 */
export async function publishAll(
  deps: PublisherDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let taken = await followChanges(deps);
  for (const take of [takeDatasets, takeOthers]) {
    if (signal.aborted) return taken;
    await deps.backpressure.waitForCapacity(signal);
    const result = await round(deps, {
      table: "dh_entity",
      limit,
      take: (tx, now, max) => tx.query(take, [now, max]),
      mapRows: (tx, rows) => mapRows(deps, tx, rows),
    });
    taken += result.taken;
  }
  await applyTermLinks(deps);
  return taken;
}

interface MappedEntity extends MappedRow {
  row: ClaimedEntity;
  facts: EntityFacts;
  /** CATRNs of its items. */
  catrns: string[];
}

async function mapRows(
  deps: PublisherDeps,
  tx: Transaction,
  rows: ClaimedEntity[],
): Promise<MappedRow[]> {
  const facts = await readFacts(deps, tx, rows.map(({ key }) => key));
  const entities: MappedEntity[] = [];
  const yielder = new EventLoopYielder();
  for (const [at, row] of rows.entries()) {
    await yielder.yieldWhenDue();
    entities.push(mapRow(deps, row, facts[at]!));
  }
  await recordNames(deps, tx, entities);
  await recordPosted(tx, entities);
  await recordTermLinks(tx, entities.map(({ row }) => row.key), entities.flatMap(linksOf));
  return entities;
}

/** The terms of a row: on what it is posted as, or on the dataset of a collector that it only adds to. */
function linksOf({ facts, catrns }: MappedEntity): TermLink[] {
  if (facts.isPartOfTable) return [];
  return termLinks(facts, facts.dataset ? facts.dataset.catrn : catrns[0]);
}

function mapRow(deps: PublisherDeps, row: ClaimedEntity, facts: EntityFacts): MappedEntity {
  const mapped = mapEntity(facts);
  warnOf(deps, facts, mapped.items.length > 0);
  const catrns = mapped.items.map(({ catrn }) => catrn);
  const isSame = sameTexts(catrns, row.posted);
  return {
    // What is posted as something else, or again after it was removed, is posted whatever was posted before.
    row: { ...row, posted_hash: isSame ? row.posted_hash : null },
    namespace: platformOfEntity(row.key, facts.aspects),
    mapped,
    facts,
    catrns,
  };
}

function sameTexts(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/** Remembers what datasets are called by now; what names one that is called otherwise is mapped again. */
async function recordNames(
  { clock }: PublisherDeps,
  tx: Transaction,
  entities: MappedEntity[],
): Promise<void> {
  const datasets = entities.flatMap(({ row, facts: { dataset } }) =>
    dataset ? [{ row, dataset }] : []
  );
  if (datasets.length === 0) return;
  await tx.query(named, [
    datasets.map(({ row }) => row.key),
    datasets.map(({ dataset }) => dataset.catrn),
    datasets.map(({ dataset }) => dataset.match),
    clock.now(),
  ]);
  const moved = datasets.filter(({ row, dataset }) =>
    row.catrn !== null && row.catrn !== dataset.catrn
  );
  if (moved.length > 0) await tx.query(addFollowed, [moved.map(({ row }) => row.key)]);
}

/** What an entity is no longer posted as leaves, unless another one is posted as it. */
async function recordPosted(tx: Transaction, entities: MappedEntity[]): Promise<void> {
  const changed = entities.filter(({ row, catrns }) => !sameTexts(catrns, row.posted));
  if (changed.length === 0) return;
  await tx.query(postedAs, [
    changed.map(({ row }) => row.key),
    changed.map(({ catrns }) => JSON.stringify(catrns)),
  ]);
  const posted = new Set(changed.flatMap(({ catrns }) => catrns));
  await leave(
    tx,
    queue,
    changed.flatMap(({ row, facts }) =>
      row.posted.filter((catrn) => !posted.has(catrn))
        .map((catrn) => ({
          catrn,
          receivedAt: row.received_at,
          ...successorOf(catrn, row, facts),
        }))
    ),
  );
  if (posted.size > 0) await tx.query(queue.stay, [[...posted]]);
}

/** The name under which a dataset goes on that is called otherwise by now. */
function successorOf(
  catrn: string,
  row: ClaimedEntity,
  { dataset, aspects }: EntityFacts,
): { successor?: string } {
  const isMoved = catrn === row.catrn && dataset !== undefined && dataset.catrn !== catrn;
  return isMoved && !isRemoved(aspects) ? { successor: dataset.catrn } : {};
}

function warnOf(
  { intakeWarnings }: PublisherDeps,
  { urn, dataset }: EntityFacts,
  isPosted: boolean,
): void {
  if (!dataset || !isPosted) return;
  const namespace = warningNamespace;
  if (dataset.ambiguous) {
    const reason = "several catalogued datasets may be meant; none of them was taken";
    intakeWarnings.note({ namespace, name: datasetOf(urn)!.name, kind: "ambiguous", reason });
  }
  if (dataset.lacksHost !== undefined) {
    const reason = "datahub.hosts does not name its host, and the catalogue has no such dataset; " +
      "it stands under an assumed host";
    intakeWarnings.note({ namespace, name: dataset.lacksHost, kind: "host_unknown", reason });
  }
}
