import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

const ofEntity = statement<JsonRow>("entity-metrics")`
  SELECT json_metrics(e.catrn)::text AS json FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;
const ofField = statement<JsonRow>("field-metrics")`
  SELECT json_metrics(f.catrn)::text AS json FROM dataset_field f WHERE f.id = $1`;

/** MetricSet as JSON text; undefined for an unknown or hollow entity. */
export async function entityMetrics(db: Queryable, id: number): Promise<string | undefined> {
  const [row] = await db.query(ofEntity, [id]);
  return row?.json;
}

/** MetricSet as JSON text; undefined for an unknown field. */
export async function fieldMetrics(db: Queryable, id: number): Promise<string | undefined> {
  const [row] = await db.query(ofField, [id]);
  return row?.json;
}
