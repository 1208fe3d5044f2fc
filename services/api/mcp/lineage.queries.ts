import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { nameOf } from "#services/api/mcp/sql.ts";

/** A visible entity. */
export interface NodeRow {
  id: number;
  name: string;
  type_id: number | null;
}

const nodes = statement<NodeRow>("mcp-lineage-nodes")`
  SELECT e.id, ${nameOf("e")} AS name, e.type_id
    FROM data_entity e WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status)`;

/** Those of the entities that are shown. */
export function reachedNodes(db: Queryable, ids: number[]): Promise<NodeRow[]> {
  return db.query(nodes, [ids]);
}

const gone = "g.entity_id IS NOT NULL AND (e.id IS NULL OR e.hollow)";
const nodesAsOf = statement<NodeRow>("mcp-lineage-nodes-then")`
  WITH reached AS (SELECT DISTINCT unnest($1::bigint[]) AS id),
  grave AS MATERIALIZED (
    SELECT DISTINCT ON (t.entity_id) t.* FROM entity_tombstone t JOIN reached r ON r.id = t.entity_id
     WHERE t.purged_at > $2::timestamptz ORDER BY t.entity_id, t.purged_at)
  SELECT r.id, CASE WHEN ${gone} THEN ${nameOf("g")} ELSE ${nameOf("e")} END AS name,
         CASE WHEN ${gone} THEN g.type_id ELSE e.type_id END AS type_id
    FROM reached r LEFT JOIN data_entity e USING (id) LEFT JOIN grave g ON g.entity_id = r.id
   WHERE e.id IS NOT NULL OR g.entity_id IS NOT NULL`;

/** Those of the entities that are shown; as of a time what they are called, and those that are purged as they were called then. */
export const nodesInTime = { now: nodes, at: nodesAsOf };
