import type { Queryable } from "#metadata/postgres/database.ts";
import { seedNamespace } from "./seed.ts";

/** A term, its namespace made when missing; its id. */
export async function seedTerm(
  db: Queryable,
  namespace: string,
  name: string,
  definition = "",
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    "INSERT INTO term (namespace_id, name, definition) VALUES ($1, $2, $3) RETURNING id",
    [await seedNamespace(db, namespace), name, definition],
  );
  return row!.id;
}

/** A tag on a term, made when it is missing. */
export async function seedTermTag(db: Queryable, term: number, name: string): Promise<void> {
  await db.query(
    `WITH t AS (INSERT INTO tag (name) VALUES ($2)
       ON CONFLICT (name) DO UPDATE SET name = $2 RETURNING id)
     INSERT INTO term_tag (term_id, tag_id) SELECT $1, id FROM t`,
    [term, name],
  );
}

/** An owner of a term, both made when missing; the id of the ownership. */
export async function seedTermOwnership(
  db: Queryable,
  term: number,
  owner: string,
  title?: string,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `WITH o AS (INSERT INTO owner (name) VALUES ($2)
       ON CONFLICT (name) DO UPDATE SET name = $2 RETURNING id),
     t AS (INSERT INTO title (name) SELECT $3::text WHERE $3::text IS NOT NULL
       ON CONFLICT (name) DO UPDATE SET name = $3 RETURNING id)
     INSERT INTO term_ownership (term_id, owner_id, title_id)
     VALUES ($1, (SELECT id FROM o), (SELECT id FROM t)) RETURNING id`,
    [term, owner, title ?? null],
  );
  return row!.id;
}
