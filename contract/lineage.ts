import { z } from "@hono/zod-openapi";
import { DataSource, Int, Long, nullable, optional, pageOf } from "#contract/catalogue/common.ts";
import {
  DataEntityClass,
  DataEntityRef,
  DataEntityStatus,
  DataEntityType,
} from "#contract/catalogue/entity-ref.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { Instant } from "#contract/ingestion/values.ts";

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
  purged: z.literal(true).optional().openapi({
    description: "As of a past time: it is gone by now, and shown as it was called when it went",
  }),
  deleted_since: Timestamp.optional().openapi({
    description: "As of a past time: it is deleted by now",
  }),
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

/** The point in time of a response; absent for the current state. */
const as_of = Timestamp.optional();

/** Only the requested direction is filled. */
export const DataEntityLineage = z.object({
  as_of,
  root: DataEntityLineageNode,
  upstream: DataEntityLineageStream,
  downstream: DataEntityLineageStream,
}).openapi("DataEntityLineage");

/** One stream for each connected component of the group. */
export const DataEntityGroupLineageList = z.object({
  as_of,
  items: z.array(DataEntityLineageStream),
}).openapi("DataEntityGroupLineageList");

/** A count of each kind of change. */
const tally = <const T extends [string, ...string[]]>(kinds: T) =>
  z.object(Object.fromEntries(kinds.map((kind) => [kind, Int])) as Record<T[number], typeof Int>);

const nodeChange = ["came", "left", "same"] as const;
const edgeChange = ["added", "removed", "reached", "unreached", "same"] as const;

/**
 * What changed on one side of an entity between two times, down to `whole_depth`, which both walks reached completely.
 * An edge is `added` or `removed` when it stood at one of the times only; `reached` or `unreached` when it stood at
 * both and the walk came to it at one only. Counts are of everything, `same` included.
 */
export const DataEntityLineageDiff = z.object({
  root: DataEntityLineageNode,
  from: Timestamp,
  to: Timestamp,
  whole_depth: Long,
  nodes: z.array(
    DataEntityLineageNode.extend({ change: z.enum(nodeChange) }).openapi(
      "DataEntityLineageDiffNode",
    ),
  ),
  edges: z.array(z.object({ source_id: Id, target_id: Id, change: z.enum(edgeChange) })),
  counts: z.object({ nodes: tally([...nodeChange]), edges: tally([...edgeChange]) }),
}).openapi("DataEntityLineageDiff");

const LineageChangeEnd = z.object({
  id: Id,
  catrn: z.string(),
  name: nullable(z.string()).openapi({ description: "Null for one known only by its CATRN" }),
  purged: z.literal(true).optional(),
}).openapi("LineageChangeEnd");

/** An edge that came or went, as one entity (`establisher`) declares it; also with the deletion of an end. */
export const LineageChange = z.object({
  at: Timestamp,
  change: z.enum(["added", "removed"]),
  source: LineageChangeEnd,
  target: LineageChangeEnd,
  establisher: LineageChangeEnd,
}).openapi("LineageChange");

/** Changes of lineage, newest first. With a cursor there may be more, though this answer may hold few, or none. */
export const LineageChangeList = z.object({
  items: z.array(LineageChange),
  cursor: nullable(z.string()),
}).openapi("LineageChangeList");

/** Direct neighbours of an entity in one direction; hollow ones have no names. */
export const LineageNeighbourList = pageOf("LineageNeighbourList", DataEntityRef);

/** Response headers of lineage answers. */
export const lineageHeaders = {
  "X-Lineage-Position": "Outbox position that the graph had reached before the walk",
  "X-Lineage-Truncated": "`nodes` or `time` when a budget ended the walk; absent when it is whole",
};

/** Further headers of lineage answers as of a past time. */
export const pastLineageHeaders = {
  ...lineageHeaders,
  "X-Lineage-As-Of": "The point in time of the answer; absent for the current state",
  "X-Lineage-Unsettled":
    "`true` for a time within the last 30 seconds, whose lineage may still change; else absent",
};

/** A moment of the catalogue's own time, in a query. */
export function momentQuery(name: string, description: string) {
  return Instant.optional().openapi({
    param: { name, in: "query", required: false, description },
    type: "string",
    format: "date-time",
  });
}

/** The requested point in time of the lineage; now when it is absent. */
export const asOfQuery = momentQuery(
  "as_of",
  "Lineage as recorded in the catalogue at this time, which is when an edge was reported, not when a run took place. " +
    "RFC 3339 with an offset, milliseconds. Names, groups and status are those of today, counts those of then.",
);
