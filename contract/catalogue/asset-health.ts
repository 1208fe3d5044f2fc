import { z } from "@hono/zod-openapi";
import { Int, nullable } from "#contract/catalogue/common.ts";
import { DataEntityType } from "#contract/catalogue/entity-ref.ts";
import { runStatuses } from "#contract/entities.ts";
import { Id, Timestamp } from "#contract/http.ts";

/** Maximum number of entities whose health is read at once. */
export const maxHealths = 200;

/** An owner by name, without what else is known of him. */
export const OwnerName = z.object({ id: Id, name: z.string() }).openapi("OwnerName");

/** Whether an entity was updated as usual: `LATE` when its last update is older than twice the usual gap. */
export const Freshness = z.object({
  state: z.enum(["FRESH", "LATE"]),
  last_updated_at: Timestamp,
  usual_gap_seconds: Int,
}).openapi("Freshness");

/** Results of the tests of a dataset: of each test the newest finished run. */
export const TestCounts = z.object({
  total: Int,
  success_total: Int,
  failed_total: Int,
}).openapi("TestCounts");

/** A run and when it ended, or began as long as it runs. */
export const LastRun = z.object({ status: z.enum(runStatuses), at: Timestamp }).openapi("LastRun");

/**
 * How an entity is at the moment. Freshness is null where fewer than five updates are known, the last run where none is.
 */
export const AssetHealth = z.object({
  id: Id,
  freshness: nullable(Freshness),
  last_run: nullable(LastRun),
  tests: TestCounts,
  open_alerts: Int,
  owners: z.array(OwnerName),
  /** Columns of the newest schema of a dataset, those within others among them. */
  columns_total: Int,
}).openapi("AssetHealth");

/** In the order of the request; an unknown or deleted entity has no item. */
export const AssetHealthList = z.object({ items: z.array(AssetHealth) }).openapi("AssetHealthList");

/** A column that is made from another one, directly or through others. */
export const ColumnReached = z.object({
  dataset_id: Id,
  dataset_name: z.string(),
  name: z.string(),
  /** Edges from the column where the question began. */
  distance: Int,
}).openapi("ColumnReached");

export const EntityReached = z.object({
  id: Id,
  name: z.string(),
  type: nullable(DataEntityType),
}).openapi("EntityReached");

/**
 * What a change of an entity, or of one of its columns, reaches. Of a column `columns` has what is made from it, and
 * `consumers` has the dashboards and other consumers that read one of the datasets of these columns as a whole.
 */
export const Impact = z.object({
  total: Int,
  types: z.array(z.object({ type: nullable(DataEntityType), total: Int })),
  owners: z.array(OwnerName.extend({ total: Int })),
  /** Entities that nobody owns. */
  unowned: Int,
  /** Open alerts, and how many entities have some. */
  open_alerts: Int,
  with_open_alerts: Int,
  columns: nullable(z.array(ColumnReached)),
  consumers: nullable(z.array(EntityReached)),
}).openapi("Impact");
export type Impact = z.infer<typeof Impact>;
