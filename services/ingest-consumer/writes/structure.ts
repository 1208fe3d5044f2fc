import { exactJson } from "#contract/ingestion/json.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import { bigint, boolean, columns, integer, text } from "../statement.ts";
import { writeFieldDetails } from "./field-details.ts";
import {
  type DatasetPlan,
  type FieldPlan,
  planDataset,
  type StoredField,
  type StoredStructure,
} from "./structure-plan.ts";

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
  const versions = await tx.query(latestVersions, [bigints(earlier)]);
  for (const { dataset_id, version, hash } of versions) {
    stored.set(dataset_id, { version, hash, fields: new Map(), earlier: new Map() });
  }
  if (versions.length === 0) return stored;
  const fields = await tx.query(fieldsOfVersions, [bigints(versions.map(({ id }) => id))]);
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
  const rows = await tx.query(
    earlierFields,
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
  const [ids] = await tx.query(draw, [made.length]);
  made.forEach((field, i) => field.id = ids!.fields[i]!);
  await insertFields(tx, made);
  const values = columns(
    renewed,
    bigint((plan) => plan.datasetId),
    integer((plan) => plan.version),
    text((plan) => plan.hash),
    text(fieldIds),
  );
  await tx.query(insertVersions, values);
}

/** The field ids in order, as array text: PostgreSQL takes no nested arrays of different lengths. */
function fieldIds(plan: DatasetPlan): string {
  return `{${plan.fields.map((field) => field.id)}}`;
}

/** The order is not part of the hash, so it is updated in place too. */
async function reorder(tx: Transaction, plans: DatasetPlan[]): Promise<void> {
  const existing = plans.filter((plan) => plan.version === null && plan.fields.length > 0);
  if (existing.length === 0) return;
  await tx.query(
    reorderFields,
    columns(existing, bigint((plan) => plan.datasetId), text(fieldIds)),
  );
}

async function insertFields(tx: Transaction, made: FieldPlan[]): Promise<void> {
  const first = made.filter((field) => field.predecessor === null);
  const successors = made.filter((field) => field.predecessor !== null);
  if (first.length > 0) await tx.query(insertFieldsStatement, fieldRows(first));
  if (successors.length === 0) return;
  const predecessors = successors.map((field) => field.predecessor);
  await tx.query(insertSuccessors, [...fieldRows(successors), bigints(predecessors)]);
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
  const values = columns(
    existing,
    bigint((f) => f.id),
    text((f) => f.field.description),
    text((f) => f.field.reference_catrn),
    boolean((f) => f.field.is_sort_key),
    text((f) => f.field.default_value),
    text(statsOf),
  );
  await tx.query(updateFields, values);
}

interface VersionRow {
  dataset_id: number;
  id: number;
  version: number;
  hash: string;
}

/** $1 datasets: the latest version of each. */
const latestVersions = statement<VersionRow>("ingest-latest-versions")`
  SELECT DISTINCT ON (dataset_id) dataset_id, id, version, hash FROM dataset_version
    WHERE dataset_id = ANY($1::bigint[]) ORDER BY dataset_id, version DESC`;

/** $1 datasets, $2 arrays of fields: the latest version shows its fields in the order posted last. */
const reorderFields = statement("ingest-reorder-fields")`
  UPDATE dataset_version v SET field_ids = t.field_ids::bigint[]
     FROM unnest($1::bigint[], $2::text[]) AS t (dataset_id, field_ids)
    WHERE v.id = latest_version(t.dataset_id) AND v.field_ids <> t.field_ids::bigint[]`;

/** $1 versions. */
const fieldsOfVersions = statement<FieldRow>("ingest-version-fields")`
  SELECT id, dataset_id, catrn, encode(hash, 'hex') AS hash FROM dataset_field
    WHERE id IN (SELECT unnest(field_ids) FROM dataset_version WHERE id = ANY($1::bigint[]))`;

/** $1 datasets, $2 CATRNs: the newest row of each of these fields, whichever version has it. */
const earlierFields = statement<FieldRow>("ingest-earlier-fields")`
  SELECT DISTINCT ON (f.dataset_id, f.catrn)
         f.id, f.dataset_id, f.catrn, encode(f.hash, 'hex') AS hash
    FROM dataset_field f JOIN unnest($1::bigint[], $2::text[]) AS w (dataset_id, catrn)
      ON f.dataset_id = w.dataset_id AND f.catrn = w.catrn
   WHERE f.dataset_id = ANY($1::bigint[])
   ORDER BY f.dataset_id, f.catrn, f.id DESC`;

/** Draws ids for $1 fields up front, so that dependent rows need no round trip in between. */
const draw = statement<{ fields: number[] }>("ingest-draw-field-ids")`
  SELECT ARRAY(SELECT nextval('dataset_field_id_seq') FROM generate_series(1, $1)) AS fields`;

/** $1 datasets, $2 versions, $3 hashes, $4 arrays of fields in order. */
const insertVersions = statement("ingest-insert-versions")`
  INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
   SELECT dataset_id, version, hash, field_ids::bigint[]
     FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[])
       AS t (dataset_id, version, hash, field_ids)`;

const fieldColumns = `id, dataset_id, catrn, name, external_description, parent_catrn,
  reference_catrn, type, logical_type, is_nullable, is_key, is_value, is_primary_key, is_sort_key,
  default_value, hash, stats`;

const selected = (stats: string) =>
  `SELECT t.id, t.dataset_id, t.catrn, t.name, t.external_description, t.parent_catrn,
          t.reference_catrn, t.type, t.logical_type, t.is_nullable, t.is_key, t.is_value,
          t.is_primary_key, t.is_sort_key, t.default_value, decode(t.hash, 'hex'), ${stats}`;

const posted = `unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
  $7::text[], $8::text[], $9::text[], $10::boolean[], $11::boolean[], $12::boolean[],
  $13::boolean[], $14::boolean[], $15::text[], $16::text[], $17::text[]`;

/** One array per column. */
const insertFieldsStatement = statement("ingest-insert-fields")`
  INSERT INTO dataset_field (${fieldColumns}) OVERRIDING SYSTEM VALUE
   ${selected("t.stats::jsonb")} FROM ${posted}) AS t (${fieldColumns})`;

/** $18 predecessors; keeps their names and descriptions, and their statistics if none were posted. */
const insertSuccessors = statement("ingest-insert-successors")`
  INSERT INTO dataset_field (${fieldColumns}, internal_name, internal_description)
     OVERRIDING SYSTEM VALUE
   ${selected("coalesce(t.stats::jsonb, old.stats)")}, old.internal_name, old.internal_description
     FROM ${posted}, $18::bigint[]) AS t (${fieldColumns}, predecessor)
     JOIN dataset_field old ON old.id = t.predecessor`;

/** Updates in place what is not part of the hash. $1 fields, then one array per column. */
const updateFields = statement("ingest-update-fields")`
  UPDATE dataset_field f SET
     external_description = t.external_description, reference_catrn = t.reference_catrn,
     is_sort_key = t.is_sort_key, default_value = t.default_value,
     stats = coalesce(t.stats::jsonb, f.stats)
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[])
     AS t (id, external_description, reference_catrn, is_sort_key, default_value, stats)
   WHERE f.id = t.id AND (
     (f.external_description, f.reference_catrn, f.is_sort_key, f.default_value)
       IS DISTINCT FROM (t.external_description, t.reference_catrn, t.is_sort_key, t.default_value)
     OR t.stats IS NOT NULL AND f.stats IS DISTINCT FROM t.stats::jsonb)`;
