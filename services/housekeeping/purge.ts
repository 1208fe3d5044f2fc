import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { plannedEachTime, type Statement } from "#metadata/postgres/statement.ts";

interface PurgeResult {
  /** Entities examined; fewer than the batch size means that no more are due. */
  found: number;
  removed: number;
  /** Still referenced, so kept as hollow entities under their ids. */
  hollowed: number;
}

/**
 * Purges at most `limit` entities that were deleted before `cutoff`. Removes what they declared
 * (edges go to the history) and all rows that belong to them; what they were called stays for as long
 * as the history. An entity that is still referenced becomes hollow and appears in lineage again, like
 * any unknown CATRN; the others are deleted. Records no activity: the feed already has the deletion.
 */
export function purgeDeleted(db: Database, cutoff: Date, limit: number): Promise<PurgeResult> {
  return retryingTransaction(db, async (tx) => {
    const before = cutoff.toISOString();
    const due = await idsOf(tx, dueEntities, [before, limit]);
    if (due.length === 0) return { found: 0, removed: 0, hollowed: 0 };
    const ids = await idsOf(tx, lockDeleted, [due, before]);
    for (const statement of declarations) await tx.query(statement, [ids]);
    for (const statement of dependants) await tx.query(statement, [ids]);
    const referenced = await idsOf(tx, stillReferenced, [ids]);
    const gone = without(ids, referenced);
    await tx.query(rememberNames, [ids]);
    await remove(tx, gone);
    await hollow(tx, referenced);
    return { found: due.length, removed: gone.length, hollowed: referenced.length };
  });
}

async function remove(tx: Transaction, ids: number[]): Promise<void> {
  await tx.query(endDeletion, [ids]);
  await tx.query(removeEntities, [ids]);
}

async function hollow(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(makeHollow, [ids]);
  const rows = await tx.query(showEdges, [ids]);
  const moved = rows[0]!.ids;
  if (moved.length > 0) await tx.query(appendMoved, [moved]);
}

interface Swept {
  /** The id after which to continue; null when every hollow entity has been examined. */
  next: number | null;
  removed: number;
}

/**
 * Removes hollow entities that are no longer referenced and were not written since `cutoff`, among
 * the first `limit` hollow ones after the id `after`.
 */
export function sweepHollow(
  db: Database,
  cutoff: Date,
  after: number,
  limit: number,
): Promise<Swept> {
  return retryingTransaction(db, async (tx) => {
    const before = cutoff.toISOString();
    const seen = await idsOf(tx, hollowAfter, [after, limit]);
    const next = seen.length < limit ? null : seen.at(-1)!;
    const idle = without(seen, await idsOf(tx, stillReferenced, [seen]));
    if (idle.length === 0) return { next, removed: 0 };
    const locked = await idsOf(tx, lockHollow, [idle, before]);
    const gone = without(locked, await idsOf(tx, stillReferenced, [locked]));
    for (const statement of dependants) await tx.query(statement, [gone]);
    await tx.query(rememberNames, [gone]);
    await remove(tx, gone);
    return { next, removed: gone.length };
  });
}

async function idsOf(
  tx: Transaction,
  statement: Statement<{ id: number }>,
  values: unknown[],
): Promise<number[]> {
  return (await tx.query(statement, values)).map((row) => row.id);
}

function without(ids: number[], others: number[]): number[] {
  const left = new Set(ids);
  for (const id of others) left.delete(id);
  return [...left];
}

/** $1 cutoff, $2 limit. */
const dueEntities = plannedEachTime<{ id: number }>("purge-due")`
  SELECT id FROM data_entity WHERE NOT is_live(status) AND status_updated_at < $1
   ORDER BY status_updated_at, id LIMIT $2`;

/** $1 ids, $2 cutoff. FOR UPDATE waits for, and then blocks, transactions that reference the row. */
const lockDeleted = plannedEachTime<{ id: number }>("purge-lock-deleted")`
  SELECT id FROM data_entity
   WHERE id = ANY($1::bigint[]) AND NOT is_live(status) AND status_updated_at < $2
   ORDER BY id FOR UPDATE`;

const endEdges = plannedEachTime("purge-end-edges")`WITH gone AS (
  DELETE FROM lineage_edge WHERE establisher_id = ANY($1::bigint[])
  RETURNING establisher_id, parent_id, child_id, since)
  INSERT INTO lineage_edge_history (establisher_id, parent_id, child_id, since, until)
  SELECT establisher_id, parent_id, child_id, since, greatest(since, statement_timestamp())
    FROM gone`;

/** $1 ids: ends the edges between columns that the entities declared. */
export const endColumnEdges = plannedEachTime("purge-end-column-edges")`WITH gone AS (
  DELETE FROM column_edge WHERE establisher_id = ANY($1::bigint[]) RETURNING *)
  INSERT INTO column_edge_history (establisher_id, source_id, target_id, kind, origin, masking,
     source_dataset, target_dataset, since, until, subtype, description)
   SELECT establisher_id, source_id, target_id, kind, origin, masking, source_dataset,
          target_dataset, since, greatest(since, statement_timestamp()), subtype, description
     FROM gone`;

const numbered = (what: string, texts: string[]) =>
  texts.map((text, at) => plannedEachTime(`purge-${what}-${at + 1}`)`${text}`);

/** $1 ids, for each statement: deletes what the entities themselves declared. */
export const declarations = [
  endEdges,
  endColumnEdges,
  ...numbered("declared", [
    `DELETE FROM group_member
    WHERE group_id = ANY($1::bigint[]) AND origin IN ('LIST', 'MANUAL')
       OR member_id = ANY($1::bigint[]) AND origin = 'PARENT'`,
    "DELETE FROM test_dataset WHERE test_id = ANY($1::bigint[])",
    "DELETE FROM relationship WHERE entity_id = ANY($1::bigint[])",
  ]),
];

const fieldsOfEntities = "(SELECT id FROM dataset_field WHERE dataset_id = ANY($1::bigint[]))";

/** $1 ids, for each statement: deletes rows that belong to the entities, referencing rows first. */
export const dependants = numbered("dependants", [
  `DELETE FROM metric_series WHERE catrn IN (
     SELECT catrn FROM data_entity WHERE id = ANY($1::bigint[])
     UNION ALL SELECT catrn FROM dataset_field WHERE dataset_id = ANY($1::bigint[]))`,
  `DELETE FROM enum_value WHERE field_id IN ${fieldsOfEntities}`,
  `DELETE FROM field_tag WHERE field_id IN ${fieldsOfEntities}`,
  `DELETE FROM field_metadata_value WHERE field_id IN ${fieldsOfEntities}`,
  `DELETE FROM field_term WHERE field_id IN ${fieldsOfEntities}`,
  `DELETE FROM field_mention WHERE field_id IN ${fieldsOfEntities}`,
  "DELETE FROM lookup_table WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM dataset_version WHERE dataset_id = ANY($1::bigint[])",
  "DELETE FROM dataset_field WHERE dataset_id = ANY($1::bigint[])",
  // Those that an edge names stay, and those that only the history names stay as long as it does.
  "SELECT forget_columns(ARRAY(SELECT id FROM dataset_column WHERE dataset_id = ANY($1::bigint[])))",
  "DELETE FROM entity_tag WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM metadata_value WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM ownership WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM entity_term WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM entity_mention WHERE entity_id = ANY($1::bigint[])",
  `UPDATE attachment_piece SET file_id = NULL, spared_until = now() WHERE file_id IN (
     SELECT id FROM attachment_file WHERE entity_id = ANY($1::bigint[]))`,
  "DELETE FROM attachment_file WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM attachment_link WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM entity_query_example WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM favorite WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM recently_viewed WHERE entity_id = ANY($1::bigint[])",
  "UPDATE alert SET messenger_id = NULL WHERE messenger_id = ANY($1::bigint[])",
  "DELETE FROM alert WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM alert_halt_config WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM message WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM judged_run WHERE task_id = ANY($1::bigint[])",
  "DELETE FROM sql_reading WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM entity_usage WHERE entity_id = ANY($1::bigint[])",
  "DELETE FROM rename_offer WHERE old_id = ANY($1::bigint[])",
  `DELETE FROM dataset_test_severity
    WHERE test_id = ANY($1::bigint[]) OR dataset_id = ANY($1::bigint[])`,
  "DELETE FROM search_document WHERE entity_id = ANY($1::bigint[])",
]);

/** $1 ids: those that are still referenced. */
const stillReferenced = plannedEachTime<{ id: number }>("purge-referenced")`
  SELECT entities_referenced($1::bigint[]) AS id`;

/** $1 ids, before they are removed or emptied: keeps what lineage as of an earlier time calls them. */
const rememberNames = plannedEachTime("purge-remember")`
  INSERT INTO entity_tombstone (entity_id, catrn, external_name, internal_name, type_id, class_ids,
                                source_catrn, created_at, purged_at)
  SELECT e.id, e.catrn, e.external_name, e.internal_name, e.type_id, e.class_ids,
         s.catrn, e.created_at, statement_timestamp()
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
   WHERE e.id = ANY($1::bigint[])
  ON CONFLICT DO NOTHING`;

/** $1 ids that are removed: their deletion ends here, so that it is forgotten when this is long ago. */
const endDeletion = plannedEachTime("purge-end-deletion")`
  UPDATE entity_deletion SET until = greatest(since, statement_timestamp())
   WHERE entity_id = ANY($1::bigint[]) AND until IS NULL`;

/** $1 ids. */
export const removeEntities = plannedEachTime("purge-remove")`
  DELETE FROM data_entity WHERE id = ANY($1::bigint[])`;

/** $1 ids: makes the entities hollow, as if they had only ever been referenced. */
const makeHollow = plannedEachTime("purge-empty")`
  UPDATE data_entity SET
     hollow = true, excluded_from_search = true, manually_created = false,
     data_source_id = NULL, namespace_id = NULL, type_id = NULL, class_ids = '{}',
     external_name = NULL, internal_name = NULL,
     external_description = NULL, internal_description = NULL,
     status = 1, status_updated_at = NULL, status_switch_at = NULL,
     source_created_at = NULL, source_updated_at = NULL, updated_at = now(),
     last_ingested_at = NULL, received_at = NULL, batch = NULL, content_hash = NULL,
     attributes = '{}', view_count = 0
   WHERE id = ANY($1::bigint[])`;

/** $1 ids, no longer deleted: makes edges that others declared live again. */
const showEdges = plannedEachTime<{ ids: number[] }>("purge-show-edges")`
  SELECT lineage_set_deleted($1::bigint[], false) AS ids`;

/** $1 ids; must be the last statement of its transaction. */
const appendMoved = plannedEachTime("purge-append")`
  SELECT lineage_append($1::bigint[])`;

/** $1 id, $2 limit. */
const hollowAfter = plannedEachTime<{ id: number }>("purge-hollow-after")`
  SELECT id FROM data_entity WHERE hollow AND id > $1 ORDER BY id LIMIT $2`;

/** $1 ids, $2 cutoff. */
const lockHollow = plannedEachTime<{ id: number }>("purge-lock-hollow")`
  SELECT id FROM data_entity WHERE id = ANY($1::bigint[]) AND hollow AND updated_at < $2
   ORDER BY id FOR UPDATE`;
