import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, boolean, columns, run, text } from "../statement.ts";
import { fieldKey, metadataEntries, tagNames } from "../values.ts";
import * as sql from "./field-details.queries.ts";
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
  await run(
    tx,
    sql.inherit,
    columns(
      successors,
      bigint((f) => f.id),
      bigint((f) => f.predecessor),
      boolean((f) => f.field.stats === undefined),
      boolean((f) => !hasEnums(f)),
    ),
  );
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
  await run(tx, sql.replaceTags, [
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
  await run(tx, sql.replaceMetadata, [
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
  await run(tx, sql.replaceEnums, [
    bigints(replaced.map((field) => field.id)),
    ...columns(wanted, bigint((w) => w.id), text((w) => w.name), text((w) => w.description)),
  ]);
}

function hasEnums({ field }: FieldPlan): boolean {
  return (field.enum_values?.length ?? 0) > 0;
}
