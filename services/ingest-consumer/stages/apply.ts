import { maxDetails } from "#contract/bounded.ts";
import { bounded } from "#kit/text.ts";
import { bigints, texts } from "#metadata/postgres/array-parameters.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, type EntityChange, noSignals } from "../change-set.ts";
import { Conflict } from "../failures.ts";
import {
  evaluate,
  storedColumns,
  storedEntities,
  type StoredEntityRow,
} from "./stored-entities.ts";
import type {
  ApplyResult,
  EntityDraft,
  ForeignItem,
  ResolvedChunk,
  StoredEntity,
  WriteOutcome,
} from "../chunk.ts";
import { writeAll } from "../writes/all.ts";
import { insertEntities } from "../writes/entities.ts";

/**
 * Stage 6, one transaction: claims the chunk, inserts new entities (in CATRN order), locks everything
 * it touches (in id order), compares every item again, writes, and takes the outbox position last.
 * Throws `Conflict` when something that the chunk refers to has changed since it was resolved.
 */
export function apply(chunk: ResolvedChunk, db: Database): Promise<ApplyResult> {
  return db.transaction(async (tx) => {
    const { batch, part } = chunk.identity;
    const claimed = await tx.query(claim, [batch, part]);
    if (claimed.length === 0) return repeated();
    const inserted = await insertEntities(tx, chunk);
    const set = evaluateDrafts(chunk, inserted, await lockAll(tx, chunk, inserted));
    await writeAll(tx, set);
    const { kept: _skipped, foreign: _foreign, ...otherCounts } = set.counts;
    const counts = JSON.stringify(otherCounts);
    const moved = bigints([...set.moved]);
    const detail = detailOf(set.foreign);
    await tx.query(finish, [batch, part, moved, chunk.sourceId, counts, detail]);
    const { counts: all, alerts, foreign } = set;
    return { effect: true, counts: all, alerts, foreign, touched: touchedBy(set) };
  });
}

/** The result of a chunk that was applied before. */
export function repeated(): ApplyResult {
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

function none(): Record<WriteOutcome, number> {
  return { new: 0, changed: 0, unchanged: 0, stale: 0, kept: 0, foreign: 0 };
}

function noAlerts(): ApplyResult["alerts"] {
  return { created: 0, stacked: 0, resolved: 0 };
}

/** Locks everything except rows that this transaction just inserted, which no other can see. */
async function lockAll(
  tx: Transaction,
  chunk: ResolvedChunk,
  inserted: Map<string, number>,
): Promise<Map<string, StoredEntity>> {
  const touched = new Set(chunk.references);
  for (const { catrn } of chunk.entities) touched.add(catrn);
  const catrns = [...touched].filter((catrn) => !inserted.has(catrn));
  if (catrns.length === 0) return new Map();
  const establishers = chunk.expected.changed.map(({ id }) => id);
  return await storedEntities(tx, lock, [texts(catrns), bigints(establishers)]);
}

function evaluateDrafts(
  chunk: ResolvedChunk,
  inserted: Map<string, number>,
  stored: Map<string, StoredEntity>,
): ChangeSet {
  const expectedDrafts = new Set([
    ...chunk.expected.fresh,
    ...chunk.expected.changed.map((c) => c.draft),
  ]);
  const counts = none();
  const changes: EntityChange[] = [];
  const unchanged: number[] = [];
  const foreign = [...chunk.foreignRuns];
  counts.foreign = foreign.length;
  for (const draft of chunk.entities) {
    const row = stored.get(draft.catrn);
    const insertedId = inserted.get(draft.catrn);
    const outcome = insertedId !== undefined ? "new" : evaluate(draft, row, chunk);
    if (!row && insertedId === undefined && outcome !== "foreign") {
      throw new Conflict(`${draft.catrn} vanished`);
    }
    counts[outcome]++;
    if (outcome === "foreign") foreign.push(foreignItem(draft, row, chunk));
    if (outcome === "unchanged") unchanged.push(row!.id);
    if (outcome !== "new" && outcome !== "changed") continue;
    if (!expectedDrafts.has(draft)) throw new Conflict(`${draft.catrn} changed meanwhile`);
    changes.push(changeOf(draft, row, insertedId, chunk.sourceId));
  }
  return {
    identity: chunk.identity,
    sourceId: chunk.sourceId,
    hasOpenAlert: chunk.hasOpenAlert,
    runs: chunk.runs,
    names: chunk.names,
    changes,
    unchanged,
    counts,
    foreign,
    alerts: noAlerts(),
    moved: new Set(),
    signals: noSignals(),
    ...lookups(inserted, stored, changes),
  };
}

function changeOf(
  { catrn, hash, item }: EntityDraft,
  row: StoredEntity | undefined,
  insertedId: number | undefined,
  sourceId: number,
): EntityChange {
  return {
    id: row?.id ?? insertedId!,
    catrn,
    hash,
    item,
    fresh: insertedId !== undefined,
    created: insertedId !== undefined || row!.hollow,
    restored: row?.deleted ?? false,
    formerSourceId: row && !row.hollow && row.sourceId !== sourceId ? row.sourceId : null,
  };
}

function foreignItem(
  { catrn }: EntityDraft,
  row: StoredEntity | undefined,
  { ownership }: ResolvedChunk,
): ForeignItem {
  return { catrn, owner: ownership.ownerOf(catrn, row) ?? "" };
}

function lookups(
  inserted: Map<string, number>,
  stored: Map<string, StoredEntity>,
  changes: EntityChange[],
): Pick<ChangeSet, "idOf" | "isDeleted"> {
  const deleted = new Set([...stored.values()].filter((row) => row.deleted).map((row) => row.id));
  for (const change of changes) deleted.delete(change.id);
  return {
    idOf(catrn) {
      const id = inserted.get(catrn) ?? stored.get(catrn)?.id;
      if (id === undefined) throw new Conflict(`${catrn} vanished`);
      return id;
    },
    isDeleted: (id) => deleted.has(id),
  };
}

/**
 * $1 batch, $2 part: no row when the chunk was applied before. Replaces a refusal. Makes the
 * transaction plan each statement for its actual arrays, whose sizes differ by orders of magnitude.
 */
const claim = statement("ingest-claim")`
  INSERT INTO applied_batch AS a (batch, part, outcome, position) VALUES ($1, $2, 'applied', 0)
   ON CONFLICT (batch, part) DO UPDATE
     SET outcome = 'applied', position = 0, detail = NULL, items = NULL, applied_at = now()
     WHERE a.outcome = 'refused'
   RETURNING set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** $1 CATRNs, $2 establishers: locks the entities and the ends of the establishers' edges by id. */
const lock = statement<StoredEntityRow>("ingest-lock")`
  SELECT ${storedColumns}
     FROM data_entity WHERE id = ANY(ARRAY(
       SELECT id FROM data_entity WHERE catrn = ANY($1::text[])
       UNION SELECT parent_id FROM lineage_edge WHERE establisher_id = ANY($2::bigint[])
       UNION SELECT child_id FROM lineage_edge WHERE establisher_id = ANY($2::bigint[])
       UNION SELECT source_dataset FROM column_edge WHERE establisher_id = ANY($2::bigint[])
       UNION SELECT target_dataset FROM column_edge WHERE establisher_id = ANY($2::bigint[])))
     ORDER BY id FOR NO KEY UPDATE`;

/**
 * $1 batch, $2 chunk, $3 ids whose lineage changed, $4 data source, $5 numbers of entities by outcome, $6 what was left
 * out: assigns the position, and tells those who follow the catalogue of the chunk; must come last.
 */
const finish = statement("ingest-finish")`
  WITH reached AS MATERIALIZED (
     SELECT CASE WHEN cardinality($3::bigint[]) > 0
       THEN lineage_append($3::bigint[]) ELSE lineage_head() END AS position),
   reported AS (
     INSERT INTO change (kind, source_id, details)
     SELECT 'ingestion', $4, jsonb_build_object('position', r.position, 'entities', $5::jsonb)
       FROM reached r)
   UPDATE applied_batch a SET position = r.position, detail = $6::jsonb,
          items = (SELECT sum(n::integer) FROM jsonb_each_text($5::jsonb) AS counts (outcome, n))
     FROM reached r
     WHERE a.batch = $1 AND a.part = $2
   RETURNING a.position, pg_notify('applied_batch', a.batch)`;
