import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { shownCharacters } from "#services/api/mcp/limits.ts";
import { start } from "#services/api/mcp/sql.ts";

/** Who owns some entities, and how many alerts are open on them. */
export interface ImpactSummary {
  open_alerts: number;
  /** Entities without an owner. */
  unowned: number;
  owners_total: number;
  owners: { name: string; count: number }[];
}

const concerned = statement<JsonRow>("mcp-impact")`
  WITH owned AS MATERIALIZED (
    SELECT o.owner_id, count(DISTINCT o.entity_id) AS entities
      FROM ownership o WHERE o.entity_id = ANY ($1::bigint[]) GROUP BY o.owner_id)
  SELECT json_build_object(
      'open_alerts', (SELECT count(*) FROM alert WHERE status = 1 AND entity_id = ANY ($1::bigint[])),
      'unowned', cardinality($1::bigint[]) - (
        SELECT count(DISTINCT entity_id) FROM ownership WHERE entity_id = ANY ($1::bigint[])),
      'owners_total', (SELECT count(*) FROM owned),
      'owners', (SELECT coalesce(json_agg(json_build_object('name', most.name, 'count', most.entities)
                                          ORDER BY most.entities DESC, most.name), '[]')
                   FROM (SELECT ${start("w.name", shownCharacters.name)} AS name, o.entities
                           FROM owned o JOIN owner w ON w.id = o.owner_id
                          ORDER BY o.entities DESC, w.name LIMIT $2) most))::text AS json`;

/** Who owns these entities, those of the most first, and how many alerts are open on them. */
export async function concernedBy(
  db: Queryable,
  ids: number[],
  maxOwners: number,
): Promise<ImpactSummary> {
  const [row] = await db.query(concerned, [ids, maxOwners]);
  return JSON.parse(row!.json);
}
