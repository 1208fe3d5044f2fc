import { exactJson } from "#contract/ingestion/json.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, earlierIds, type EntityChange } from "../change-set.ts";
import { bigint, boolean, columns, integer, text } from "../statement.ts";

/** Makes a test cover exactly the datasets that its payload names. */
export async function writeTests(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap(({ id, item }) =>
    (item.data_quality_test?.dataset_list ?? []).map((catrn) => ({
      id,
      datasetId: set.idOf(catrn),
    }))
  );
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await tx.query(replaceTestDatasets, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.id), bigint((w) => w.datasetId)),
  ]);
}

/** $1 entities with earlier rows, $2 tests and $3 their datasets as posted. */
const replaceTestDatasets = statement("ingest-replace-test-datasets")`
  WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS w (test_id, dataset_id)),
   gone AS (
     DELETE FROM test_dataset x WHERE x.test_id = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.test_id = x.test_id AND w.dataset_id = x.dataset_id))
   INSERT INTO test_dataset (test_id, dataset_id)
   SELECT test_id, dataset_id FROM wanted
   ON CONFLICT DO NOTHING`;

interface Membership {
  groupId: number;
  memberId: number;
  origin: "LIST" | "PARENT";
}

/** Replaces the members and the parent that the payload of a group gave; manual members stay. */
export async function writeGroups(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap((change) => memberships(change, set));
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await tx.query(replaceMembers, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.groupId), bigint((w) => w.memberId), text((w) => w.origin)),
  ]);
}

function memberships({ id, item }: EntityChange, set: ChangeSet): Membership[] {
  const group = item.data_entity_group;
  if (!group) return [];
  const listed = group.entities_list.map((catrn): Membership => ({
    groupId: id,
    memberId: set.idOf(catrn),
    origin: "LIST",
  }));
  if (group.group_catrn === undefined) return listed;
  return [...listed, { groupId: set.idOf(group.group_catrn), memberId: id, origin: "PARENT" }];
}

/** $1 entities with earlier rows, $2 groups, $3 members, $4 origins as posted. */
const replaceMembers = statement("ingest-replace-group-members")`
  WITH wanted AS (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS w (group_id, member_id, origin)),
   gone AS (
     DELETE FROM group_member m
      WHERE (m.origin = 'LIST' AND m.group_id = ANY($1::bigint[])
          OR m.origin = 'PARENT' AND m.member_id = ANY($1::bigint[]))
        AND NOT EXISTS (SELECT FROM wanted w
          WHERE w.group_id = m.group_id AND w.member_id = m.member_id AND w.origin = m.origin))
   INSERT INTO group_member (group_id, member_id, origin)
   SELECT group_id, member_id, origin FROM wanted
   ON CONFLICT DO NOTHING`;

interface PostedRelation {
  id: number;
  relation: NonNullable<DataEntity["data_relationship"]>;
}

/** Writes one row per relationship of either kind; an ERD also gets its fields, paired by index. */
export async function writeRelationships(tx: Transaction, set: ChangeSet): Promise<void> {
  const posted: PostedRelation[] = [];
  const dropped: number[] = [];
  for (const { id, item, fresh } of set.changes) {
    if (item.data_relationship) posted.push({ id, relation: item.data_relationship });
    else if (!fresh) dropped.push(id);
  }
  if (dropped.length > 0) await tx.query(dropRelationships, [bigints(dropped)]);
  if (posted.length === 0) return;
  await tx.query(upsertRelationships, relationRows(posted, set));
  const pairs = posted.flatMap(fieldPairs);
  if (pairs.length === 0) return;
  const values = columns(
    pairs,
    bigint((p) => p.id),
    integer((p) => p.ordinal),
    text((p) => p.source),
    text((p) => p.target),
  );
  await tx.query(insertFieldPairs, values);
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

/** $1 entities that have rows of an earlier payload and are no longer relationships. */
const dropRelationships = statement("ingest-drop-relationships")`
  DELETE FROM relationship WHERE entity_id = ANY($1::bigint[])`;

/** One array per column. Also deletes the rows' field pairs, which `insertFieldPairs` inserts again. */
const upsertRelationships = statement("ingest-upsert-relationships")`
  WITH gone AS (
     DELETE FROM relationship_field_pair p USING relationship r
      WHERE r.id = p.relationship_id AND r.entity_id = ANY($1::bigint[]))
   INSERT INTO relationship AS r (entity_id, kind, source_id, target_id, is_identifying, cardinality,
     is_directed, attributes)
   SELECT entity_id, kind, source_id, target_id, is_identifying, cardinality, is_directed,
          attributes::jsonb
     FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[], $6::text[],
         $7::boolean[], $8::text[])
       AS t (entity_id, kind, source_id, target_id, is_identifying, cardinality, is_directed, attributes)
   ON CONFLICT (entity_id) DO UPDATE SET
     kind = excluded.kind, source_id = excluded.source_id, target_id = excluded.target_id,
     is_identifying = excluded.is_identifying, cardinality = excluded.cardinality,
     is_directed = excluded.is_directed, attributes = excluded.attributes`;

/** $1 entities of relationships, $2 ordinals, $3 source and $4 target CATRNs of fields. */
const insertFieldPairs = statement("ingest-insert-field-pairs")`
  INSERT INTO relationship_field_pair (relationship_id, ordinal, source_catrn, target_catrn)
   SELECT r.id, t.ordinal, t.source_catrn, t.target_catrn
     FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[])
       AS t (entity_id, ordinal, source_catrn, target_catrn)
     JOIN relationship r ON r.entity_id = t.entity_id`;
