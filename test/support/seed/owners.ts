import type { Queryable } from "#metadata/postgres/database.ts";

/** Owners of an entity in the order they came, as `name (title)`, those that its source tells with a star. */
export async function ownersShown(db: Queryable, catrn: string): Promise<string[]> {
  const rows = await db.query<{ shown: string }>(
    `SELECT w.name || coalesce(' (' || t.name || ')', '') || CASE WHEN o.external THEN '*' ELSE '' END AS shown
       FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
       JOIN data_entity e ON e.id = o.entity_id WHERE e.catrn = $1 ORDER BY o.id`,
    [catrn],
  );
  return rows.map(({ shown }) => shown);
}
