import { exactJson } from "#contract/ingestion/json.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, boolean, columns, integer, run, text } from "../statement.ts";
import * as sql from "./relationships.queries.ts";

type Relation = NonNullable<DataEntity["data_relationship"]>;

interface PostedRelation {
  id: number;
  relation: Relation;
}

/** Writes one row per relationship of either kind; an ERD also gets its fields, paired by index. */
export async function writeRelationships(tx: Transaction, set: ChangeSet): Promise<void> {
  const posted: PostedRelation[] = [];
  const dropped: number[] = [];
  for (const { id, item, fresh } of set.changes) {
    if (item.data_relationship) posted.push({ id, relation: item.data_relationship });
    else if (!fresh) dropped.push(id);
  }
  if (dropped.length > 0) await run(tx, sql.drop, [bigints(dropped)]);
  if (posted.length === 0) return;
  await run(tx, sql.upsert, relationRows(posted, set));
  const pairs = posted.flatMap(fieldPairs);
  if (pairs.length === 0) return;
  await run(
    tx,
    sql.pairs,
    columns(
      pairs,
      bigint((p) => p.id),
      integer((p) => p.ordinal),
      text((p) => p.source),
      text((p) => p.target),
    ),
  );
}

function relationRows(posted: PostedRelation[], set: ChangeSet): unknown[] {
  return columns(
    posted,
    bigint((p) => p.id),
    text((p) => p.relation.relationship_type),
    bigint((p) => set.idOf(p.relation.source_dataset_catrn)),
    bigint((p) => set.idOf(p.relation.target_dataset_catrn)),
    boolean(({ relation: { details } }) =>
      "is_identifying" in details ? details.is_identifying : null
    ),
    text(({ relation: { details } }) => "cardinality" in details ? details.cardinality : null),
    boolean(({ relation: { details } }) => "is_directed" in details ? details.is_directed : null),
    text(({ relation: { details } }) =>
      "attributes" in details && details.attributes ? exactJson(details.attributes) : null
    ),
  );
}

function fieldPairs({ id, relation: { details } }: PostedRelation) {
  if (details.relationship_entity_name !== "ERDRelationship") return [];
  return details.source_dataset_field_catrns_list.map((source, ordinal) => ({
    id,
    ordinal,
    source,
    target: details.target_dataset_field_catrns_list[ordinal]!,
  }));
}
