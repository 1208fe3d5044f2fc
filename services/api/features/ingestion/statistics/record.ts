import { maxDetails } from "#contract/bounded.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import type { DataSetFieldStat } from "#contract/ingestion/fields.ts";
import type { DatasetStatisticsList } from "#contract/ingestion/others.ts";
import { type IngestionReport, reportOf } from "#contract/ingestion/report.ts";
import { fieldPath } from "#contract/ingestion/path.ts";
import { AppError, type ErrorDetail } from "#kit/errors.ts";
import { inBatches } from "#kit/event-loop.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import * as queries from "./queries.ts";

/** Fields to write before yielding to the event loop. */
const batchSize = 5_000;

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
  const fields = await queries.readLatestFields(tx, [...datasets.values()], fieldNames);
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
  const datasets = await queries.lockDatasets(tx, names);
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
    await queries.writeStatistics(tx, batch, texts);
  }
  const links = ids.flatMap((field) =>
    (stats.get(field)?.tags ?? []).map(({ name }) => ({ field, tag: tagIds.get(name)! }))
  );
  if (await queries.replaceTags(tx, ids, links) > 0) await queries.refreshDocuments(tx, datasets);
}

function refuse(details: ErrorDetail[]): void {
  const [first] = details;
  if (!first) return;
  throw new AppError(`Statistics were not recorded: ${first.message}`, {
    status: 404,
    code: "USR002",
    details: details.slice(0, maxDetails),
  });
}
