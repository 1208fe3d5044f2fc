import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/metrics/queries.ts";

/** The latest points of an entity's metrics; MetricSet as JSON text. 404 when unknown or hollow. */
export async function metricsOfEntity(context: Context, id: number): Promise<string> {
  const json = await queries.entityMetrics(context.db, id);
  if (json === undefined) throw notFound("Data entity", id);
  return json;
}

/** The latest points of a dataset field's metrics; MetricSet as JSON text. 404 when unknown. */
export async function metricsOfField(context: Context, id: number): Promise<string> {
  const json = await queries.fieldMetrics(context.db, id);
  if (json === undefined) throw notFound("Dataset field", id);
  return json;
}
