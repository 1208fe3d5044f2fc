import { maxDetails } from "#contract/bounded.ts";
import { bounded } from "#kit/text.ts";
import { bigints, texts } from "#metadata/postgres/array-parameters.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { noSignals } from "../alerts/signals.ts";
import { Conflict } from "../failures.ts";
import { heldEntities } from "../held.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import type {
  Applied,
  EntityDraft,
  ForeignItem,
  HeldEntity,
  ResolvedPart,
  Verdict,
} from "../part.ts";
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
    const { kept: _kept, foreign: _foreign, ...told } = set.counts;
    const counts = JSON.stringify(told);
    const moved = bigints([...set.moved]);
    const detail = detailOf(set.foreign);
    await run(tx, sql.finish, [batch, number, moved, part.sourceId, counts, detail]);
    const { counts: all, alerts, foreign } = set;
    return { effect: true, counts: all, alerts, foreign, touched: touchedBy(set) };
  });
}

/** The result of a part that was applied before. */
export function repeated(): Applied {
  return { effect: false, counts: none(), alerts: noAlerts(), foreign: [], touched: [] };
}

/** What the waiting request answers of items that were left out; null when there are none. */
function detailOf(foreign: ForeignItem[]): string | null {
  if (foreign.length === 0) return null;
  const details = foreign.slice(0, maxDetails).map(({ catrn, owner }) => ({
    field: "items",
    message: `${bounded(catrn, maxShown)} belongs to data source ${bounded(owner, maxShown)}`,
  }));
  return JSON.stringify({ status: 403, reason: "foreign", left_out: foreign.length, details });
}

/** Characters of a name in a message. */
const maxShown = 300;

function touchedBy({ changes }: ChangeSet): number[] {
  return changes.filter(({ item }) => item.data_transformer || item.dataset).map(({ id }) => id);
}

function none(): Record<Verdict, number> {
  return { new: 0, changed: 0, unchanged: 0, stale: 0, kept: 0, foreign: 0 };
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
  const foreign = [...part.foreignRuns];
  counts.foreign = foreign.length;
  for (const draft of part.entities) {
    const row = held.get(draft.catrn);
    const fresh = inserted.get(draft.catrn);
    const verdict = fresh !== undefined ? "new" : judge(draft, row, part);
    if (!row && fresh === undefined && verdict !== "foreign") {
      throw new Conflict(`${draft.catrn} vanished`);
    }
    counts[verdict]++;
    if (verdict === "foreign") foreign.push(foreignItem(draft, row, part));
    if (verdict === "unchanged") unchanged.push(row!.id);
    if (verdict !== "new" && verdict !== "changed") continue;
    if (!prepared.has(draft)) throw new Conflict(`${draft.catrn} changed meanwhile`);
    changes.push(changeOf(draft, row, fresh, part.sourceId));
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
    foreign,
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
  sourceId: number,
): EntityChange {
  return {
    id: row?.id ?? fresh!,
    catrn,
    hash,
    item,
    fresh: fresh !== undefined,
    created: fresh !== undefined || row!.hollow,
    restored: row?.deleted ?? false,
    formerSourceId: row && !row.hollow && row.sourceId !== sourceId ? row.sourceId : null,
  };
}

function foreignItem(
  { catrn }: EntityDraft,
  row: HeldEntity | undefined,
  { ownership }: ResolvedPart,
): ForeignItem {
  return { catrn, owner: ownership.ownerOf(catrn, row) ?? "" };
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
