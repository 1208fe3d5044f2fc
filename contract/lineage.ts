import { z } from "@hono/zod-openapi";
import { DataSource, Int, Long, optional, pageOf } from "#contract/catalogue/common.ts";
import {
  DataEntityClass,
  DataEntityRef,
  DataEntityStatus,
  DataEntityType,
} from "#contract/catalogue/entity-ref.ts";
import { Id } from "#contract/http.ts";

/**
 * A node of a lineage answer. Counts are of distinct live neighbours in the whole graph; they are
 * null on the root, on groups and in group lineage. A hollow node has no names, no type and no data source.
 */
export const DataEntityLineageNode = z.object({
  id: Id,
  catrn: z.string(),
  external_name: optional(z.string()),
  internal_name: optional(z.string()),
  entity_classes: optional(z.array(DataEntityClass)),
  type: optional(DataEntityType),
  has_alerts: z.boolean(),
  data_source: optional(DataSource),
  group_id_list: optional(z.array(Id)),
  parents_count: optional(Int),
  children_count: optional(Int),
  status: DataEntityStatus,
  is_stale: z.boolean(),
}).openapi("DataEntityLineageNode");

/** Data flows from source to target, regardless of the direction of the query. */
export const DataEntityLineageEdge = z.object({ source_id: Id, target_id: Id })
  .openapi("DataEntityLineageEdge");

/** `truncated_at` names reached entities whose further neighbours exceeded the budget. */
export const DataEntityLineageStream = z.object({
  nodes: z.array(DataEntityLineageNode),
  edges: z.array(DataEntityLineageEdge),
  groups: z.array(DataEntityLineageNode),
  truncated_at: z.array(z.object({ id: Id, remaining_depth: Long })).optional(),
}).openapi("DataEntityLineageStream");

/** Only the requested direction is filled. */
export const DataEntityLineage = z.object({
  root: DataEntityLineageNode,
  upstream: DataEntityLineageStream,
  downstream: DataEntityLineageStream,
}).openapi("DataEntityLineage");

/** One stream for each connected component of the group. */
export const DataEntityGroupLineageList = z.object({ items: z.array(DataEntityLineageStream) })
  .openapi("DataEntityGroupLineageList");

/** Direct neighbours of an entity in one direction; hollow ones have no names. */
export const LineageNeighbourList = pageOf("LineageNeighbourList", DataEntityRef);

/** Response headers of lineage answers. */
export const lineageHeaders = {
  "X-Lineage-Position": "Outbox position that the graph had reached before the walk",
  "X-Lineage-Truncated": "`nodes` or `time` when a budget ended the walk; absent when it is whole",
};
