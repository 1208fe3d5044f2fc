import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, boolean, columns, text } from "../statement.ts";
import { fieldKey, metadataEntries, tagNames } from "../posted-item.ts";
import type { FieldPlan } from "./structure-plan.ts";

/** Writes tags, metadata and enum values of posted fields; what users entered stays. */
export async function writeFieldDetails(
  tx: Transaction,
  set: ChangeSet,
  fields: FieldPlan[],
): Promise<void> {
  const existing = fields.filter((field) => field.isExisting);
  await inherit(tx, fields.filter((field) => field.predecessor !== null));
  await writeTags(tx, set, fields, existing);
  await writeMetadata(tx, set, fields, existing);
  await writeEnums(tx, fields);
}

async function inherit(tx: Transaction, successors: FieldPlan[]): Promise<void> {
  if (successors.length === 0) return;
  const values = columns(
    successors,
    bigint((f) => f.id),
    bigint((f) => f.predecessor),
    boolean((f) => f.field.stats === undefined),
    boolean((f) => !hasEnums(f)),
  );
  await tx.query(inheritStatement, values);
}

async function writeTags(
  tx: Transaction,
  set: ChangeSet,
  fields: FieldPlan[],
  existing: FieldPlan[],
): Promise<void> {
  const wanted = fields.flatMap(({ id, field }) => [
    ...tagNames(field.tags).map((name) => ({ id, name, origin: "EXTERNAL" })),
    ...tagNames(field.stats?.tags).map((name) => ({ id, name, origin: "EXTERNAL_STATISTICS" })),
  ]);
  const replaced = existing.flatMap(({ id, field }) => [
    { id, origin: "EXTERNAL" },
    ...(field.stats ? [{ id, origin: "EXTERNAL_STATISTICS" }] : []),
  ]);
  if (wanted.length === 0 && replaced.length === 0) return;
  await tx.query(replaceTags, [
    ...columns(replaced, bigint((r) => r.id), text((r) => r.origin)),
    ...columns(
      wanted,
      bigint((w) => w.id),
      bigint((w) => set.names.tagIds.get(w.name)!),
      text((w) => w.origin),
    ),
  ]);
}

async function writeMetadata(
  tx: Transaction,
  set: ChangeSet,
  fields: FieldPlan[],
  existing: FieldPlan[],
): Promise<void> {
  const wanted = fields.flatMap(({ id, field }) =>
    metadataEntries(field.metadata).map(({ name, type, text }) => ({
      id,
      fieldId: set.names.fieldIds.get(fieldKey(name, type))!,
      text,
    }))
  );
  if (wanted.length === 0 && existing.length === 0) return;
  await tx.query(replaceMetadata, [
    bigints(existing.map((field) => field.id)),
    ...columns(wanted, bigint((w) => w.id), bigint((w) => w.fieldId), text((w) => w.text)),
  ]);
}

/** An absent or empty list leaves the existing values. */
async function writeEnums(tx: Transaction, fields: FieldPlan[]): Promise<void> {
  const replaced = fields.filter(hasEnums);
  if (replaced.length === 0) return;
  const wanted = replaced.flatMap(({ id, field }) => {
    const byName = new Map(field.enum_values!.map((value) => [value.name, value]));
    return [...byName.values()].map(({ name, description }) => ({ id, name, description }));
  });
  await tx.query(replaceEnums, [
    bigints(replaced.map((field) => field.id)),
    ...columns(wanted, bigint((w) => w.id), text((w) => w.name), text((w) => w.description)),
  ]);
}

function hasEnums({ field }: FieldPlan): boolean {
  return (field.enum_values?.length ?? 0) > 0;
}

/** Replaces rows of fields $1 with origins $2; $3 fields, $4 tags, $5 origins as posted. */
const replaceTags = statement("ingest-replace-field-tags")`
  WITH wanted AS (
     SELECT * FROM unnest($3::bigint[], $4::bigint[], $5::text[]) AS w (field_id, tag_id, origin)),
   gone AS (
     DELETE FROM field_tag x USING unnest($1::bigint[], $2::text[]) AS s (field_id, origin)
      WHERE x.field_id = s.field_id AND x.origin = s.origin AND NOT EXISTS (
        SELECT FROM wanted w
         WHERE w.field_id = x.field_id AND w.tag_id = x.tag_id AND w.origin = x.origin))
   INSERT INTO field_tag (field_id, tag_id, origin) SELECT field_id, tag_id, origin FROM wanted
   ON CONFLICT DO NOTHING`;

/** Replaces external values of fields $1; $2 fields, $3 metadata fields, $4 values as posted. */
const replaceMetadata = statement("ingest-replace-field-metadata")`
  WITH wanted AS (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[])
       AS w (field_id, metadata_field_id, value)),
   gone AS (
     DELETE FROM field_metadata_value v USING metadata_field m
      WHERE v.field_id = ANY($1::bigint[]) AND m.id = v.metadata_field_id AND m.origin = 'EXTERNAL'
        AND NOT EXISTS (SELECT FROM wanted w
          WHERE w.field_id = v.field_id AND w.metadata_field_id = v.metadata_field_id))
   INSERT INTO field_metadata_value AS v (field_id, metadata_field_id, value)
   SELECT field_id, metadata_field_id, value FROM wanted
   ON CONFLICT (field_id, metadata_field_id) DO UPDATE SET value = excluded.value
     WHERE v.value <> excluded.value`;

/** Replaces external values of fields $1; $2 fields, $3 names, $4 descriptions as posted. */
const replaceEnums = statement("ingest-replace-enum-values")`
  WITH wanted AS (
     SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[]) AS w (field_id, name, description)),
   gone AS (
     DELETE FROM enum_value v WHERE v.field_id = ANY($1::bigint[]) AND v.origin = 'EXTERNAL'
       AND NOT EXISTS (SELECT FROM wanted w WHERE w.field_id = v.field_id AND w.name = v.name))
   INSERT INTO enum_value AS v (field_id, name, description, origin)
   SELECT field_id, name, description, 'EXTERNAL' FROM wanted
   ON CONFLICT (field_id, name, origin) DO UPDATE SET description = excluded.description
     WHERE v.description IS DISTINCT FROM excluded.description`;

/**
 * Copies details from the old row of a changed field to the new one: everything that users entered,
 * and what the sender gave earlier and the new payload omits. $1 new rows, $2 old rows, $3 whether
 * to keep statistical tags, $4 whether to keep external enum values.
 */
const inheritStatement = statement("ingest-inherit-field-details")`
  WITH pair AS (
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::boolean[])
       AS p (id, old, statistics, enums)),
   tags AS (
     INSERT INTO field_tag (field_id, tag_id, origin)
     SELECT p.id, x.tag_id, x.origin FROM pair p JOIN field_tag x ON x.field_id = p.old
      WHERE x.origin = 'INTERNAL' OR (x.origin = 'EXTERNAL_STATISTICS' AND p.statistics)
     ON CONFLICT DO NOTHING),
   terms AS (
     INSERT INTO field_term (field_id, term_id)
     SELECT p.id, x.term_id FROM pair p JOIN field_term x ON x.field_id = p.old
     ON CONFLICT DO NOTHING),
   mentions AS (
     INSERT INTO field_mention (field_id, namespace, name)
     SELECT p.id, m.namespace, m.name FROM pair p JOIN field_mention m ON m.field_id = p.old
     ON CONFLICT DO NOTHING),
   metadata AS (
     INSERT INTO field_metadata_value (field_id, metadata_field_id, value)
     SELECT p.id, v.metadata_field_id, v.value
       FROM pair p JOIN field_metadata_value v ON v.field_id = p.old
       JOIN metadata_field m ON m.id = v.metadata_field_id AND m.origin = 'INTERNAL'
     ON CONFLICT DO NOTHING)
   INSERT INTO enum_value (field_id, name, description, origin)
   SELECT p.id, v.name, v.description, v.origin FROM pair p JOIN enum_value v ON v.field_id = p.old
    WHERE v.origin = 'INTERNAL' OR p.enums
   ON CONFLICT DO NOTHING`;
