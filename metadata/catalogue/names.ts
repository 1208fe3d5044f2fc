import { unavailable } from "#kit/errors.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Tables whose rows are known by a unique name and are made on the way by whoever uses the name. */
const kinds = ["namespace", "owner", "tag", "title"] as const;
type Kind = (typeof kinds)[number];

interface Named {
  id: number;
  name: string;
}

const statementsOf = (kind: Kind) => ({
  hold: statement<Named>(`${kind}-hold-named`)`
    SELECT id, name FROM ${kind} WHERE name = ANY($1::text[]) ORDER BY id FOR KEY SHARE`,
  // Concurrent transactions insert in one order, to avoid deadlocks, and wait for each other's rows.
  add: statement(`${kind}-add-named`)`
    INSERT INTO ${kind} (name)
    SELECT name FROM unnest($1::text[]) AS w (name) ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO NOTHING`,
});
const statements = new Map(kinds.map((kind) => [kind, statementsOf(kind)]));

/** How often a row that another transaction deletes at the same time is made again. */
const attempts = 5;

/**
 * Ids by name; what is missing is made. Nobody can delete these rows until the transaction ends.
 * Throws 503 when others keep deleting them.
 */
export async function ensureAllNamed(
  tx: Transaction,
  kind: Kind,
  names: Iterable<string>,
): Promise<Map<string, number>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const { hold, add } = statements.get(kind)!;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const rows = await tx.query(hold, [wanted]);
    const found = new Map(rows.map(({ id, name }) => [name, id]));
    if (found.size === wanted.length) return found;
    await tx.query(add, [wanted.filter((name) => !found.has(name))]);
  }
  throw unavailable(`The ${kind} is being deleted by others: try again`);
}

/** The id of the row of that name, which is made if missing; null for no name. */
export async function ensureNamed(
  tx: Transaction,
  kind: Kind,
  name: string | null,
): Promise<number | null> {
  if (name === null) return null;
  return (await ensureAllNamed(tx, kind, [name])).get(name)!;
}
