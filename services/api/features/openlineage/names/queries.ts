import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const entity = statement<{ id: number; source: string | null }>("openlineage-name-entity")`
  SELECT e.id, s.catrn AS source
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
   WHERE e.catrn = $1 AND NOT e.hollow AND is_live(e.status)`;

/** The live entity of a CATRN and the CATRN of its data source; undefined for none, and for a mere name. */
export async function entityOf(
  db: Queryable,
  catrn: string,
): Promise<{ id: number; source: string | null } | undefined> {
  const [found] = await db.query(entity, [catrn]);
  return found;
}
