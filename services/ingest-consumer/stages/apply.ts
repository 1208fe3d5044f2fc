import { bigints, texts } from "#metadata/postgres/array-parameters.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { noSignals } from "../alerts/signals.ts";
import { Conflict } from "../failures.ts";
import { heldEntities } from "../held.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import type { Applied, EntityDraft, HeldEntity, ResolvedPart, Verdict } from "../part.ts";
import { run } from "../statement.ts";
import { writeAll } from "../writes/all.ts";
import { insertEntities } from "../writes/entities.ts";
import * as sql from "./apply.queries.ts";
import { judge } from "./diff.ts";

/**
 * Stage 6, one transaction: claims the part, inserts new entities (in CATRN order), locks everything
 * it touches (in id order), compares every item again, writes, and takes the outbox position last.
 * Throws `Conflict` when something that the part refers to has changed since it was resolved.
 */
export function apply(part: ResolvedPart, db: Database): Promise<Applied> {
  return db.transaction(async (tx) => {
    const { batch, part: number } = part.identity;
    const claimed = await run(tx, sql.claim, [batch, number]);
    if (claimed.length === 0) return repeated();
    const inserted = await insertEntities(tx, part);
    const set = judged(part, inserted, await lockAll(tx, part, inserted));
    await writeAll(tx, set);
    const { kept: _kept, ...told } = set.counts;
    const counts = JSON.stringify(told);
    await run(tx, sql.finish, [batch, number, bigints([...set.moved]), part.sourceId, counts]);
    return { effect: true, counts: set.counts, alerts: set.alerts, touched: touchedBy(set) };
  });
}

/** The result of a part that was applied before. */
export function repeated(): Applied {
  return { effect: false, counts: none(), alerts: noAlerts(), touched: [] };
}

function touchedBy({ changes }: ChangeSet): number[] {
  return changes.filter(({ item }) => item.data_transformer || item.dataset).map(({ id }) => id);
}

function none(): Record<Verdict, number> {
  return { new: 0, changed: 0, unchanged: 0, stale: 0, kept: 0 };
}

function noAlerts(): Applied["alerts"] {
  return { created: 0, stacked: 0, resolved: 0 };
}

/** Locks everything except rows that this transaction just inserted, which no other can see. */
async function lockAll(
  tx: Transaction,
  part: ResolvedPart,
  inserted: Map<string, number>,
): Promise<Map<string, HeldEntity>> {
  const touched = new Set(part.references);
  for (const { catrn } of part.entities) touched.add(catrn);
  const catrns = [...touched].filter((catrn) => !inserted.has(catrn));
  if (catrns.length === 0) return new Map();
  const establishers = part.expected.changed.map(({ id }) => id);
  return await heldEntities(tx, sql.lock, [
    texts(catrns),
    bigints(establishers),
  ]);
}

function judged(
  part: ResolvedPart,
  inserted: Map<string, number>,
  held: Map<string, HeldEntity>,
): ChangeSet {
  const prepared = new Set([...part.expected.fresh, ...part.expected.changed.map((c) => c.draft)]);
  const counts = none();
  const changes: EntityChange[] = [];
  const unchanged: number[] = [];
  for (const draft of part.entities) {
    const row = held.get(draft.catrn);
    const fresh = inserted.get(draft.catrn);
    if (!row && fresh === undefined) throw new Conflict(`${draft.catrn} vanished`);
    const verdict = fresh !== undefined ? "new" : judge(draft, row, part);
    counts[verdict]++;
    if (verdict === "unchanged") unchanged.push(row!.id);
    if (verdict !== "new" && verdict !== "changed") continue;
    if (!prepared.has(draft)) throw new Conflict(`${draft.catrn} changed meanwhile`);
    changes.push(changeOf(draft, row, fresh));
  }
  return {
    identity: part.identity,
    sourceId: part.sourceId,
    troubled: part.troubled,
    runs: part.runs,
    names: part.names,
    changes,
    unchanged,
    counts,
    alerts: noAlerts(),
    moved: new Set(),
    signals: noSignals(),
    ...lookups(inserted, held, changes),
  };
}

function changeOf(
  { catrn, hash, item }: EntityDraft,
  row: HeldEntity | undefined,
  fresh: number | undefined,
): EntityChange {
  return {
    id: row?.id ?? fresh!,
    catrn,
    hash,
    item,
    fresh: fresh !== undefined,
    created: fresh !== undefined || row!.hollow,
    restored: row?.deleted ?? false,
  };
}

function lookups(
  inserted: Map<string, number>,
  held: Map<string, HeldEntity>,
  changes: EntityChange[],
): Pick<ChangeSet, "idOf" | "isDeleted"> {
  const deleted = new Set([...held.values()].filter((row) => row.deleted).map((row) => row.id));
  for (const change of changes) deleted.delete(change.id);
  return {
    idOf(catrn) {
      const id = inserted.get(catrn) ?? held.get(catrn)?.id;
      if (id === undefined) throw new Conflict(`${catrn} vanished`);
      return id;
    },
    isDeleted: (id) => deleted.has(id),
  };
}
