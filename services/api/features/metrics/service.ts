import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

/** The latest points of an entity's metrics; MetricSet as JSON text. 404 when unknown or hollow. */
export async function metricsOfEntity(context: Context, id: number): Promise<string> {
  const json = await entityMetrics(context.db, id);
  if (json === undefined) throw notFound("Data entity", id);
  return json;
}

/** The latest points of a dataset field's metrics; MetricSet as JSON text. 404 when unknown. */
export async function metricsOfField(context: Context, id: number): Promise<string> {
  const json = await fieldMetrics(context.db, id);
  if (json === undefined) throw notFound("Dataset field", id);
  return json;
}

const ofEntity = statement<JsonRow>("entity-metrics")`
  SELECT json_metrics(e.catrn)::text AS json FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;
const ofField = statement<JsonRow>("field-metrics")`
  SELECT json_metrics(f.catrn)::text AS json FROM dataset_field f WHERE f.id = $1`;

/** MetricSet as JSON text; undefined for an unknown or hollow entity. */
async function entityMetrics(db: Queryable, id: number): Promise<string | undefined> {
  const [row] = await db.query(ofEntity, [id]);
  return row?.json;
}

/** MetricSet as JSON text; undefined for an unknown field. */
async function fieldMetrics(db: Queryable, id: number): Promise<string | undefined> {
  const [row] = await db.query(ofField, [id]);
  return row?.json;
}
