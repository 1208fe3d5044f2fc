import { exactJson } from "#contract/ingestion/json.ts";
import { entityClasses, entityTypes } from "#contract/entities.ts";
import { classesOf, type DataEntity, presentSections } from "#contract/ingestion/schema.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Row, Transaction } from "#metadata/postgres/database.ts";
import { lostLinks, type StoredLinks } from "../alerts/links.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import type { ChunkIdentity, EntityDraft, ResolvedChunk } from "../chunk.ts";
import { boolean, columns, run, smallint, text } from "../statement.ts";
import * as sql from "./entities.queries.ts";

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
  const rows = await run<{ id: number; catrn: string }>(tx, sql.insert, entityRows(chunk, drafts));
  return new Map(rows.map((row) => [row.catrn, row.id]));
}

/**
 * Overwrites existing entities, restores deleted ones, updates when unchanged ones were last seen,
 * and notes lost links.
 */
export async function updateEntities(tx: Transaction, set: ChangeSet): Promise<void> {
  const changed = set.changes.filter((change) => !change.fresh);
  if (changed.length > 0) {
    const before = await run<StoredLinks & Row>(tx, sql.update, entityRows(set, changed));
    set.signals.links = lostLinks(changed, before);
  }
  if (set.unchanged.length > 0) {
    await run(tx, sql.touch, [
      bigints(set.unchanged),
      receivedAt(set.identity),
      set.identity.batch,
    ]);
  }
  const restored = changed.filter((change) => change.restored).map((change) => change.id);
  if (restored.length === 0) return;
  for (const { id } of await run<{ id: number }>(tx, sql.restore, [restored])) set.moved.add(id);
}

/** The time of receipt in the format that PostgreSQL takes. */
export function receivedAt(identity: ChunkIdentity): string {
  return new Date(identity.receivedAt).toISOString();
}

function entityRows(
  { sourceId, identity }: Pick<ChangeSet, "sourceId" | "identity">,
  rows: (EntityDraft | EntityChange)[],
): unknown[] {
  return [
    sourceId,
    receivedAt(identity),
    identity.batch,
    ...columns<EntityDraft | EntityChange>(
      rows,
      text((row) => row.catrn),
      smallint((row) => entityTypes[row.item.type].id),
      text((row) => `{${classesOf(row.item).map((name) => entityClasses[name]).join(",")}}`),
      text((row) => row.item.name),
      text((row) => row.item.description),
      boolean((row) => row.item.data_entity_group?.group_catrn !== undefined),
      text((row) => row.item.created_at),
      text((row) => row.item.updated_at),
      text((row) => row.hash),
      text((row) => attributesOf(row.item)),
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
