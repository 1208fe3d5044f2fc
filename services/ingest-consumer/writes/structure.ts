import { exactJson } from "#contract/ingestion/json.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import { bigint, boolean, columns, integer, run, text } from "../statement.ts";
import { writeFieldDetails } from "./field-details.ts";
import {
  type DatasetPlan,
  type FieldPlan,
  planDataset,
  type StoredField,
  type StoredStructure,
} from "./structure-plan.ts";
import * as sql from "./structure.queries.ts";

/**
 * Writes the structure of datasets: a new version when the hash of the fields changed; else updates
 * in place what is not hashed.
 */
export async function writeStructure(tx: Transaction, set: ChangeSet): Promise<void> {
  const datasets = set.changes.filter((change) => change.item.dataset);
  if (datasets.length === 0) return;
  const stored = await storedStructures(tx, datasets);
  await findEarlier(tx, datasets, stored);
  const plans = datasets.map((change) => planDataset(change, stored.get(change.id)));
  await writeVersions(tx, plans);
  const fields = plans.flatMap((plan) => plan.fields);
  await updateExisting(tx, fields.filter((field) => field.isExisting));
  await reorder(tx, plans);
  await writeFieldDetails(tx, set, fields);
  set.signals.fields = plans.flatMap((plan) => plan.lost);
}

async function storedStructures(
  tx: Transaction,
  datasets: EntityChange[],
): Promise<Map<number, StoredStructure>> {
  const stored = new Map<number, StoredStructure>();
  const earlier = datasets.filter((change) => !change.fresh).map((change) => change.id);
  if (earlier.length === 0) return stored;
  const versions = await run<{ dataset_id: number; id: number; version: number; hash: string }>(
    tx,
    sql.latestVersions,
    [bigints(earlier)],
  );
  for (const { dataset_id, version, hash } of versions) {
    stored.set(dataset_id, { version, hash, fields: new Map(), earlier: new Map() });
  }
  if (versions.length === 0) return stored;
  const fields = await run<FieldRow>(tx, sql.fieldsOfVersions, [
    bigints(versions.map(({ id }) => id)),
  ]);
  for (const { id, dataset_id, catrn, hash } of fields) {
    stored.get(dataset_id)!.fields.set(catrn, { id, hash });
  }
  return stored;
}

interface FieldRow extends StoredField {
  dataset_id: number;
  catrn: string;
}

/** Looks for posted fields that the latest versions lack among the rows of older versions: they came back. */
async function findEarlier(
  tx: Transaction,
  datasets: EntityChange[],
  stored: Map<number, StoredStructure>,
): Promise<void> {
  const unknown = datasets.flatMap(({ id, item }) => {
    const structure = stored.get(id);
    // The first version has none before it.
    if (!structure || structure.version === 1) return [];
    return item.dataset!.field_list.filter(({ catrn }) => !structure.fields.has(catrn))
      .map(({ catrn }) => ({ id, catrn }));
  });
  if (unknown.length === 0) return;
  const rows = await run<FieldRow>(
    tx,
    sql.earlierFields,
    columns(unknown, bigint((field) => field.id), text((field) => field.catrn)),
  );
  for (const { id, dataset_id, catrn, hash } of rows) {
    stored.get(dataset_id)!.earlier.set(catrn, { id, hash });
  }
}

async function writeVersions(tx: Transaction, plans: DatasetPlan[]): Promise<void> {
  const renewed = plans.filter((plan) => plan.version !== null);
  if (renewed.length === 0) return;
  const made = renewed.flatMap((plan) => plan.fields.filter((field) => !field.isExisting));
  const [ids] = await run<{ fields: number[] }>(tx, sql.draw, [made.length]);
  made.forEach((field, i) => field.id = ids!.fields[i]!);
  await insertFields(tx, made);
  await run(
    tx,
    sql.insertVersions,
    columns(
      renewed,
      bigint((plan) => plan.datasetId),
      integer((plan) => plan.version),
      text((plan) => plan.hash),
      text(fieldIds),
    ),
  );
}

/** The field ids in order, as array text: PostgreSQL takes no nested arrays of different lengths. */
function fieldIds(plan: DatasetPlan): string {
  return `{${plan.fields.map((field) => field.id)}}`;
}

/** The order is not part of the hash, so it is updated in place too. */
async function reorder(tx: Transaction, plans: DatasetPlan[]): Promise<void> {
  const existing = plans.filter((plan) => plan.version === null && plan.fields.length > 0);
  if (existing.length === 0) return;
  await run(
    tx,
    sql.reorderFields,
    columns(existing, bigint((plan) => plan.datasetId), text(fieldIds)),
  );
}

async function insertFields(tx: Transaction, made: FieldPlan[]): Promise<void> {
  const first = made.filter((field) => field.predecessor === null);
  const successors = made.filter((field) => field.predecessor !== null);
  if (first.length > 0) await run(tx, sql.insertFields, fieldRows(first));
  if (successors.length === 0) return;
  const predecessors = successors.map((field) => field.predecessor);
  await run(tx, sql.insertSuccessors, [...fieldRows(successors), bigints(predecessors)]);
}

function fieldRows(fields: FieldPlan[]): unknown[] {
  return columns(
    fields,
    bigint((f) => f.id),
    bigint((f) => f.datasetId),
    text((f) => f.field.catrn),
    text((f) => f.field.name),
    text((f) => f.field.description),
    text((f) => f.field.parent_field_catrn),
    text((f) => f.field.reference_catrn),
    text((f) => f.field.type.type),
    text((f) => f.field.type.logical_type),
    boolean((f) => f.field.type.is_nullable),
    boolean((f) => f.field.is_key),
    boolean((f) => f.field.is_value),
    boolean((f) => f.field.is_primary_key),
    boolean((f) => f.field.is_sort_key),
    text((f) => f.field.default_value),
    text((f) => f.hash),
    text(statsOf),
  );
}

function statsOf({ field: { stats } }: FieldPlan): string | null {
  return stats ? exactJson({ ...stats, tags: undefined }) : null;
}

async function updateExisting(tx: Transaction, existing: FieldPlan[]): Promise<void> {
  if (existing.length === 0) return;
  await run(
    tx,
    sql.updateFields,
    columns(
      existing,
      bigint((f) => f.id),
      text((f) => f.field.description),
      text((f) => f.field.reference_catrn),
      boolean((f) => f.field.is_sort_key),
      text((f) => f.field.default_value),
      text(statsOf),
    ),
  );
}
