import { z } from "@hono/zod-openapi";
import { DataSource, Long, optional } from "#contract/catalogue/common.ts";
import { DataSetFieldType } from "#contract/catalogue/dataset.ts";
import { DataEntityStatus } from "#contract/catalogue/entity-ref.ts";
import { columnEdgeKinds, columnEdgeOrigins } from "#contract/entities.ts";
import { Id, PageInfo, Timestamp } from "#contract/http.ts";

/** The node that stands for a dataset as a whole. */
export function wholeDataset(datasetId: number): number {
  return 2 ** 52 + datasetId;
}

/**
 * A column, or with `name: null` its dataset as a whole. Its id names it within one answer. `field_id` and
 * `type` are null when the newest structure of the dataset has no such field.
 */
export const LineageColumn = z.object({
  id: Id,
  dataset_id: Id,
  name: optional(z.string()),
  field_id: optional(Id),
  type: optional(DataSetFieldType),
}).openapi("LineageColumn");

/** One known only by its CATRN has no name and no data source. */
export const ColumnLineageDataset = z.object({
  id: Id,
  catrn: z.string(),
  external_name: optional(z.string()),
  internal_name: optional(z.string()),
  data_source: optional(DataSource),
  status: DataEntityStatus,
  purged: z.literal(true).optional().openapi({
    description: "As of a past time: it is gone by now, and shown as it was called when it went",
  }),
}).openapi("ColumnLineageDataset");

/**
 * Data flows from source to target, regardless of the direction of the query. The properties of an edge are
 * those of the establisher with the smallest id; `since` is when the first of them declared it.
 */
export const ColumnLineageEdge = z.object({
  source_id: Id,
  target_id: Id,
  kind: z.enum(columnEdgeKinds),
  subtype: optional(z.string()),
  masking: optional(z.boolean()),
  description: optional(z.string()),
  origin: z.enum(columnEdgeOrigins),
  establisher_ids: z.array(Id),
  since: Timestamp,
}).openapi("ColumnLineageEdge");

const nodesAndEdges = {
  columns: z.array(LineageColumn),
  datasets: z.array(ColumnLineageDataset),
  edges: z.array(ColumnLineageEdge),
};

/** Why a column of SQL could not be traced, or a statement not read. */
export const sqlGapReasons = [
  "syntax",
  "statement",
  "target",
  "star",
  "ambiguous",
  "column",
  "undeclared",
  "structure",
  "position",
  "unnamed",
] as const;
export type SqlGapReason = (typeof sqlGapReasons)[number];

/**
 * Something that SQL does and that could not be traced, with its place in the text, from 1. Without `column` it is about
 * columns that nothing names, such as those of a star; without `dataset_id` about a statement.
 */
export const SqlLineageGap = z.object({
  establisher_id: Id,
  dataset_id: optional(Id),
  column: optional(z.string()),
  reason: z.enum(sqlGapReasons),
  line: optional(Long),
  position: optional(Long),
}).openapi("SqlLineageGap");

/**
 * The columns that SQL fills in one output: `columns` in all, of which `partly_traced` also have a part that could not
 * be traced, and `not_traced` have no source at all.
 */
export const SqlLineageOutput = z.object({
  dataset_id: Id,
  columns: Long,
  partly_traced: Long,
  not_traced: Long,
}).openapi("SqlLineageOutput");

/** How the SQL of a job was read for column lineage: `read`, or why it was not. */
export const SqlLineageReading = z.object({
  outcome: z.string(),
  read_at: Timestamp,
  outputs: z.array(SqlLineageOutput),
}).openapi("SqlLineageReading");

/** `truncated_at` names reached nodes whose further neighbours exceeded the budget. */
export const ColumnLineageAnswer = z.object({
  as_of: Timestamp.optional(),
  root: z.object({ id: Id, columns: z.array(Id) }),
  ...nodesAndEdges,
  truncated_at: z.array(z.object({ id: Id, remaining_depth: Long })),
  not_traced: z.array(SqlLineageGap).optional().openapi({
    description:
      "Upstream, today: what the SQL of jobs that write the dataset does to it and could not be traced",
  }),
}).openapi("ColumnLineage");

/** A page of the column edges that one entity declares, with the columns and datasets that they name. */
export const ColumnLineageEdgeList = z.object({
  ...nodesAndEdges,
  sql: SqlLineageReading.optional().openapi({ description: "Absent where no SQL was read" }),
  not_traced: z.array(SqlLineageGap),
  page_info: PageInfo,
})
  .openapi("ColumnLineageEdgeList");
