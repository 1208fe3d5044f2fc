import { maxDetails } from "#contract/bounded.ts";
import type { DataSetFieldStat } from "#contract/ingestion/fields.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import type { DatasetStatisticsList } from "#contract/ingestion/others.ts";
import { type IngestionReport, reportOf } from "#contract/ingestion/report.ts";
import { fieldPath } from "#contract/ingestion/values.ts";
import { AppError, type ErrorDetail } from "#kit/errors.ts";
import { inBatches } from "#kit/event-loop.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

/** Statistics of one field; `path` is its place in the body. */
interface Entry {
  dataset: string;
  field: string;
  stat: DataSetFieldStat;
  path: string;
}

/**
 * Writes statistics into the latest fields of datasets, in place, without a new structure version,
 * and replaces statistical tags. Unknown fields are reported. When a dataset is unknown, or no field
 * is known, nothing is written and a 404 names what is unknown.
 */
export async function recordStatistics(
  db: Database,
  list: DatasetStatisticsList,
): Promise<IngestionReport> {
  const entries = list.items.flatMap(({ dataset_catrn, fields }, i) =>
    Object.entries(fields).map(([field, stat]): Entry => ({
      dataset: dataset_catrn,
      field,
      stat,
      path: fieldPath(["items", i, "fields", field]),
    }))
  );
  const tags = new Set(entries.flatMap(({ stat }) => (stat.tags ?? []).map(({ name }) => name)));
  // Made beforehand, so that no long transaction locks names that all share.
  await retryingTransaction(db, (tx) => ensureAllNamed(tx, "tag", tags));
  return await retryingTransaction(db, async (tx) => {
    const tagIds = await ensureAllNamed(tx, "tag", tags);
    return await record(tx, list, entries, tagIds);
  });
}

async function record(
  tx: Transaction,
  list: DatasetStatisticsList,
  entries: Entry[],
  tagIds: Map<string, number>,
): Promise<IngestionReport> {
  const datasets = await knownDatasets(tx, list);
  const fieldNames = [...new Set(entries.map(({ field }) => field))];
  const fields = await tx.query(latestFields, [[...datasets.values()], fieldNames]);
  const fieldId = new Map(fields.map((f) => [`${f.dataset_id} ${f.catrn}`, f.id]));
  // Of several statistics for one field the last wins.
  const stats = new Map<number, DataSetFieldStat>();
  const unknown: Entry[] = [];
  for (const entry of entries) {
    const id = fieldId.get(`${datasets.get(entry.dataset)} ${entry.field}`);
    if (id === undefined) unknown.push(entry);
    else stats.set(id, entry.stat);
  }
  const details = unknown.slice(0, maxDetails).map(({ dataset, field, path }) => ({
    field: path,
    message: `field ${field} is not in the latest structure of ${dataset}`,
  }));
  if (stats.size === 0) refuse(details);
  await write(tx, stats, [...datasets.values()], tagIds);
  return reportOf(unknown.length, details);
}

/** Locks the datasets; returns their ids by CATRN. Throws a 404 for any that is unknown. */
async function knownDatasets(
  tx: Transaction,
  { items }: DatasetStatisticsList,
): Promise<Map<string, number>> {
  const names = [...new Set(items.map(({ dataset_catrn }) => dataset_catrn))];
  const datasets = await tx.query(lockDatasets, [names]);
  const idOf = new Map(datasets.map(({ catrn, id }) => [catrn, id]));
  refuse(
    items.flatMap(({ dataset_catrn }, i) =>
      idOf.has(dataset_catrn) ? [] : [{
        field: `items[${i}].dataset_catrn`,
        message: `dataset ${dataset_catrn} is not known`,
      }]
    ),
  );
  return idOf;
}

/** Locks known datasets in id order, as all writers of entities do. */
const lockDatasets = plannedEachTime<{ id: number; catrn: string }>("statistics-lock-datasets")`
  SELECT id, catrn FROM data_entity
   WHERE catrn = ANY($1) AND NOT hollow AND is_live(status)
   ORDER BY id FOR NO KEY UPDATE`;

/** Of the named fields, those in the latest structure of these datasets. */
const latestFields = plannedEachTime<{ dataset_id: number; catrn: string; id: number }>(
  "statistics-latest-fields",
)`
  SELECT f.dataset_id, f.catrn, f.id
    FROM latest_fields($1::bigint[]) x JOIN dataset_field f ON f.id = x.field_id
   WHERE f.catrn = ANY($2)`;

/** Fields to write before yielding to the event loop. */
const batchSize = 5_000;

async function write(
  tx: Transaction,
  stats: Map<number, DataSetFieldStat>,
  datasets: number[],
  tagIds: Map<string, number>,
) {
  if (stats.size === 0) return;
  const ids = [...stats.keys()].sort((a, b) => a - b);
  for await (const batch of inBatches(ids, batchSize)) {
    const texts = batch.map((id) => exactJson({ ...stats.get(id), tags: undefined }));
    await tx.query(writeStatistics, [batch, texts]);
  }
  const links = ids.flatMap((field) =>
    (stats.get(field)?.tags ?? []).map(({ name }) => ({ field, tag: tagIds.get(name)! }))
  );
  const values = [ids, links.map(({ field }) => field), links.map(({ tag }) => tag)];
  const [replaced] = await tx.query(replaceTags, values);
  if (replaced!.changed > 0) await tx.query(refreshDocuments, [datasets]);
}

/** Writes statistics (JSON texts) into field rows. */
const writeStatistics = plannedEachTime("statistics-write")`
  UPDATE dataset_field f SET stats = s.stats::jsonb
    FROM unnest($1::bigint[], $2::text[]) AS s (id, stats)
   WHERE f.id = s.id`;

/** Replaces the statistical tags of the fields $1 by the links $2, $3; how many links changed. */
const replaceTags = plannedEachTime<{ changed: number }>("statistics-replace-tags")`
  WITH wanted AS (
    SELECT DISTINCT field_id, tag_id FROM unnest($2::bigint[], $3::bigint[]) AS l (field_id, tag_id)
  ), gone AS (
    DELETE FROM field_tag x
    WHERE x.field_id = ANY($1) AND x.origin = 'EXTERNAL_STATISTICS'
      AND NOT EXISTS (SELECT FROM wanted w WHERE w.field_id = x.field_id AND w.tag_id = x.tag_id)
    RETURNING 1
  ), made AS (
    INSERT INTO field_tag (field_id, tag_id, origin)
    SELECT field_id, tag_id, 'EXTERNAL_STATISTICS' FROM wanted
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM made) AS changed`;

const refreshDocuments = plannedEachTime("statistics-refresh-documents")`
  SELECT refresh_search_documents($1)`;

function refuse(details: ErrorDetail[]): void {
  const [first] = details;
  if (!first) return;
  throw new AppError(`Statistics were not recorded: ${first.message}`, {
    status: 404,
    code: "USR002",
    details: details.slice(0, maxDetails),
  });
}
