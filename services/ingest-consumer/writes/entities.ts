import { entityClasses, entityTypes } from "#contract/entities.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import { classesOf, type DataEntity, presentSections } from "#contract/ingestion/schema.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { lostLinks, type StoredLinks } from "../alerts/schema-breaks.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import type { ChunkIdentity, EntityDraft, ResolvedChunk } from "../chunk.ts";
import { boolean, columns, smallint, text } from "../statement.ts";

/**
 * Inserts new entities; returns ids by CATRN, without those that another transaction inserted
 * meanwhile.
 */
export async function insertEntities(
  tx: Transaction,
  chunk: ResolvedChunk,
): Promise<Map<string, number>> {
  const drafts = chunk.expected.fresh;
  if (drafts.length === 0) return new Map();
  const rows = await tx.query(insert, entityRows(chunk, drafts));
  return new Map(rows.map((row) => [row.catrn, row.id]));
}

/**
 * Overwrites existing entities, restores deleted ones, updates when unchanged ones were last seen,
 * and notes lost links.
 */
export async function updateEntities(tx: Transaction, set: ChangeSet): Promise<void> {
  const changed = set.changes.filter((change) => !change.fresh);
  if (changed.length > 0) {
    const before = await tx.query(update, entityRows(set, changed));
    set.signals.links = lostLinks(changed, before);
  }
  if (set.unchanged.length > 0) {
    const { identity, unchanged } = set;
    await tx.query(touch, [bigints(unchanged), receivedAt(identity), identity.batch]);
  }
  const restored = changed.filter((change) => change.restored).map((change) => change.id);
  if (restored.length === 0) return;
  for (const { id } of await tx.query(restore, [restored])) set.moved.add(id);
}

/** The time of receipt in the format that PostgreSQL takes. */
export function receivedAt(identity: ChunkIdentity): string {
  return new Date(identity.receivedAt).toISOString();
}

function entityRows(
  { sourceId, identity }: Pick<ChangeSet, "sourceId" | "identity">,
  entities: (EntityDraft | EntityChange)[],
): unknown[] {
  return [
    sourceId,
    receivedAt(identity),
    identity.batch,
    ...columns<EntityDraft | EntityChange>(
      entities,
      text((entity) => entity.catrn),
      smallint((entity) => entityTypes[entity.item.type].id),
      text((entity) => `{${classesOf(entity.item).map((name) => entityClasses[name]).join(",")}}`),
      text((entity) => entity.item.name),
      text((entity) => entity.item.description),
      boolean((entity) => entity.item.data_entity_group?.group_catrn !== undefined),
      text((entity) => entity.item.created_at),
      text((entity) => entity.item.updated_at),
      text((entity) => entity.hash),
      text((entity) => attributesOf(entity.item)),
    ),
  ];
}

/** The class parts as posted, without what is stored as rows: field lists and column lineage. */
function attributesOf(item: DataEntity): string {
  const { dataset, data_transformer } = item;
  const stored = {
    ...item,
    dataset: { ...dataset, field_list: undefined },
    data_transformer: { ...data_transformer, column_lineage: undefined },
  };
  return exactJson(Object.fromEntries(presentSections(item).map((name) => [name, stored[name]])));
}

const columnsSql = `catrn, type_id, class_ids, external_name, external_description,
  excluded_from_search, source_created_at, source_updated_at, content_hash, attributes`;

const posted = `unnest($4::text[], $5::smallint[], $6::text[], $7::text[], $8::text[],
  $9::boolean[], $10::text[], $11::text[], $12::text[], $13::text[]) AS t (${columnsSql})`;

/** $1 data source, $2 received, $3 batch, $4… one array per column. Existing rows stay unchanged. */
const insert = statement<{ id: number; catrn: string }>("ingest-insert-entities")`
  INSERT INTO data_entity (${columnsSql}, data_source_id, received_at, batch, last_ingested_at)
   SELECT t.catrn, t.type_id, t.class_ids::smallint[], t.external_name, t.external_description,
          t.excluded_from_search, t.source_created_at::timestamptz,
          t.source_updated_at::timestamptz, decode(t.content_hash, 'hex'), t.attributes::jsonb,
          $1::bigint, $2::timestamptz, $3::text, now()
     FROM ${posted}
    ORDER BY t.catrn COLLATE "C"
   ON CONFLICT (catrn) DO NOTHING
   RETURNING id, catrn`;

const linksChanged = (place: string) =>
  `(old #> '{${place}}') IS DISTINCT FROM (new #> '{${place}}')`;

/**
 * As `insert`, for existing rows that are locked; a deleted one becomes UNASSIGNED. Returns the
 * earlier links of transformers and consumers whose links changed.
 */
const update = statement<StoredLinks>("ingest-update-entities")`
  WITH written AS (
   UPDATE data_entity e SET
     data_source_id = $1::bigint, type_id = t.type_id, class_ids = t.class_ids::smallint[],
     external_name = t.external_name, external_description = t.external_description,
     hollow = false, excluded_from_search = t.excluded_from_search,
     source_created_at = t.source_created_at::timestamptz,
     source_updated_at = t.source_updated_at::timestamptz,
     status = CASE WHEN NOT is_live(e.status) THEN 1 ELSE e.status END,
     status_updated_at = CASE WHEN NOT is_live(e.status) THEN now() ELSE e.status_updated_at END,
     status_switch_at = CASE WHEN NOT is_live(e.status) THEN NULL ELSE e.status_switch_at END,
     updated_at = now(), last_ingested_at = now(), received_at = $2::timestamptz, batch = $3::text,
     content_hash = decode(t.content_hash, 'hex'), attributes = t.attributes::jsonb
   FROM ${posted} JOIN data_entity held ON held.catrn = t.catrn
   WHERE e.id = held.id
   RETURNING e.id, held.attributes AS old, e.attributes AS new)
   SELECT id, old #> '{data_transformer,inputs}' AS sources,
          old #> '{data_transformer,outputs}' AS targets, old #> '{data_consumer,inputs}' AS inputs
     FROM written
    WHERE old ?| ARRAY['data_transformer', 'data_consumer']
      AND (${linksChanged("data_transformer,inputs")} OR ${linksChanged("data_transformer,outputs")}
        OR ${linksChanged("data_consumer,inputs")})`;

/** $1 ids, $2 received, $3 batch. */
const touch = statement("ingest-touch-entities")`
  UPDATE data_entity SET last_ingested_at = now(), received_at = $2::timestamptz, batch = $3::text
    WHERE id = ANY($1::bigint[])`;

/** $1 ids that are no longer deleted. Returns those whose edges became live again. */
const restore = statement<{ id: number }>("ingest-restore-lineage")`
  SELECT unnest(lineage_set_deleted($1::bigint[], false)) AS id`;
