import { type PageQuery, pageWindow } from "#contract/http.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/datasets/queries.ts";

/** DataSetStructure of the newest version as JSON text. Throws 404 when there is no structure. */
export async function latestStructure(context: Context, dataset: number): Promise<string> {
  const json = await queries.datasetStructure(context.db, dataset, null);
  if (json === undefined) throw notFound("Structure of dataset", dataset);
  return json;
}

/** DataSetStructure of one version as JSON text. Throws 404 unless the dataset has that version. */
export async function structureOf(context: Context, dataset: number, version: number) {
  const json = await queries.datasetStructure(context.db, dataset, version);
  if (json === undefined) throw notFound(`Structure version of dataset ${dataset}`, version);
  return json;
}

/** DataSetVersionList, newest first, as JSON text. Throws 404 for an unknown or hollow entity. */
export async function listVersions(
  context: Context,
  dataset: number,
  page: PageQuery,
): Promise<string> {
  const json = await queries.versionPage(context.db, dataset, pageWindow(page));
  if (json === undefined) throw notFound("Data entity", dataset);
  return json;
}

/**
 * The changes of every field between two versions; DataSetVersionDiffList as JSON text. Throws 400
 * when both versions are the same, 404 unless both belong to the dataset.
 */
export async function compareStructures(
  context: Context,
  dataset: number,
  from: number,
  to: number,
): Promise<string> {
  if (from === to) {
    const message = "must be another version than first_version_id";
    throw badRequest("The versions to compare are the same", [
      { field: "second_version_id", message },
    ]);
  }
  const json = await queries.structureDiff(context.db, dataset, from, to);
  if (json === undefined) {
    throw notFound(`Structure versions of dataset ${dataset}`, `${from}, ${to}`);
  }
  return json;
}
