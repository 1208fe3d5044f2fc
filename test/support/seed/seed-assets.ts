import type { Queryable } from "#metadata/postgres/database.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";

let serial = 0;

/** A term of a name that no other has; its id. */
export function seedAnyTerm(db: Queryable): Promise<number> {
  return seedTerm(db, "glossary", `term ${++serial}`);
}

/** A query example; its id. */
export async function seedQueryExample(
  db: Queryable,
  definition = `query example ${++serial}`,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    "INSERT INTO query_example (definition, query) VALUES ($1, 'SELECT 1') RETURNING id",
    [definition],
  );
  return row!.id;
}
