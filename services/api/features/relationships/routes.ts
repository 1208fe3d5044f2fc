import { z } from "@hono/zod-openapi";
import {
  DataEntityRelationshipDetails,
  DataEntityRelationshipDetailsList,
  DataEntityRelationshipList,
} from "#contract/catalogue/entity.ts";
import { containsPattern, requiredEnumQuery, searchQuery } from "#contract/catalogue/inputs.ts";
import { idParam, type PageQuery, pageQuery, pageWindow } from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { foundJson, listJson } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

const common = {
  method: "get" as const,
  access: "signed-in" as const,
};
const type = requiredEnumQuery("type", ["ERD", "GRAPH", "ALL"]);
const one = {
  ...common,
  tag: "relationship",
  params: z.object({ relationship_id: idParam("relationship_id") }),
  responses: { 200: { description: "The relationship", schema: DataEntityRelationshipDetails } },
};

const listSpec = operation({
  ...common,
  id: "getRelationships",
  path: "/api/relationships",
  tag: "relationship",
  summary: "List relationships; deleted, hollow and excluded ones are hidden",
  query: z.object({
    ...pageQuery,
    type,
    query: searchQuery("query", "A part of the relationship's own name, in any case"),
  }),
  responses: { 200: { description: "One page", schema: DataEntityRelationshipList } },
});

const erdSpec = operation({
  ...one,
  id: "getERDRelationshipById",
  path: "/api/relationships/erd/{relationship_id}",
  summary: "An entity relationship, by the id of its data entity",
});

const graphSpec = operation({
  ...one,
  id: "getGraphRelationshipById",
  path: "/api/relationships/graph/{relationship_id}",
  summary: "A graph relationship, by the id of its data entity",
});

const datasetSpec = operation({
  ...common,
  id: "getDataSetRelationships",
  path: "/api/datasets/{data_entity_id}/relationships",
  tag: "dataSet",
  summary: "Relationships with the dataset at either end",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ type }),
  responses: {
    200: { description: "All of them", schema: DataEntityRelationshipDetailsList },
  },
});

/** The operations that read relationships between datasets. */
export function relationshipRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => listRelationships(context, query)),
    serve(erdSpec, ({ params }) => describeRelationship(context, params.relationship_id, "ERD")),
    serve(graphSpec, ({ params }) => {
      return describeRelationship(context, params.relationship_id, "GRAPH");
    }),
    serve(datasetSpec, ({ params, query }) => {
      return relationshipsOfDataset(context, params.data_entity_id, query.type);
    }),
  ];
}

type RelationshipKind = "ERD" | "GRAPH";
type RequestedKind = RelationshipKind | "ALL";

const kindOf = (kind: RequestedKind) => (kind === "ALL" ? null : kind);

const ownName = "coalesce(e.internal_name, e.external_name)";
const matching = `
  FROM relationship r JOIN data_entity e ON e.id = r.entity_id
 WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
   AND ($4::text IS NULL OR r.kind = $4) AND ($5::text IS NULL OR ${ownName} ILIKE $5)`;
const list = statement<JsonRow>("relationship-list")`
  SELECT ${
  listJson({
    each: "json_relationship(e, r, $3)",
    by: "e.id",
    from: `(SELECT e.id ${matching} ORDER BY e.id LIMIT $1 OFFSET $2) page
      JOIN data_entity e ON e.id = page.id JOIN relationship r ON r.entity_id = e.id`,
    total: "t.total",
    window: ["$1", "$2"],
  })
}::text AS json
    FROM (SELECT count(*) AS total ${matching}) t`;

interface RelationshipsQuestion extends PageQuery {
  type: RequestedKind;
  /** A part of the relationship's own name, case-insensitive. */
  query?: string;
}

/**
 * One page of relationships in order of id; DataEntityRelationshipList as JSON text. Leaves out
 * deleted, hollow and excluded ones; filters by kind before paging.
 */
async function listRelationships(
  context: Context,
  question: RelationshipsQuestion,
): Promise<string> {
  const { limit, offset } = pageWindow(question);
  const pattern = question.query ? containsPattern(question.query) : null;
  const values = [limit, offset, staleDays(context), kindOf(question.type), pattern];
  return (await context.db.query(list, values))[0]!.json;
}

const details = statement<JsonRow>("relationship-details")`
  SELECT json_relationship_details(e, r, $3)::text AS json
    FROM data_entity e JOIN relationship r ON r.entity_id = e.id AND r.kind = $2
   WHERE e.id = $1 AND NOT e.hollow`;

/**
 * DataEntityRelationshipDetails as JSON text, by the id of the relationship's entity. Throws 404 for
 * any other id, including that of the relationship's own row, and for the other kind.
 */
async function describeRelationship(
  context: Context,
  id: number,
  kind: RelationshipKind,
): Promise<string> {
  const rows = await context.db.query(details, [id, kind, staleDays(context)]);
  return foundJson(rows, `${kind} relationship`, id);
}

/** Maximum number of relationships in the answer for one dataset, which is not paged. */
const maxOfDataset = 10_000;

const ofDataset = statement<JsonRow>("dataset-relationships")`
  WITH hit AS (
    SELECT r.entity_id FROM relationship r JOIN data_entity e ON e.id = r.entity_id
     WHERE (r.source_id = $1 OR r.target_id = $1) AND NOT e.hollow AND is_live(e.status)
       AND ($2::text IS NULL OR r.kind = $2)
     ORDER BY r.entity_id LIMIT $4
  ), total AS (SELECT count(*) AS n FROM hit)
  SELECT ${
  listJson({
    each: "json_relationship_details(e, r, $3)",
    by: "e.id",
    from: `hit JOIN data_entity e ON e.id = hit.entity_id
      JOIN relationship r ON r.entity_id = e.id`,
    total: "total.n",
  })
}::text AS json
    FROM data_entity d, total WHERE d.id = $1 AND NOT d.hollow`;

/**
 * Relationships with the dataset at either end; DataEntityRelationshipDetailsList as JSON text.
 * Throws 404 for an unknown or hollow dataset.
 */
async function relationshipsOfDataset(
  context: Context,
  dataset: number,
  type: RequestedKind,
): Promise<string> {
  const values = [dataset, kindOf(type), staleDays(context), maxOfDataset];
  return foundJson(await context.db.query(ofDataset, values), "Dataset", dataset);
}
