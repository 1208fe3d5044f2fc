import { unavailable } from "#kit/errors.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/**
 * Tables whose rows have a unique name and are created on first use. Names that differ only in
 * case or Unicode normal form are one (`name_key` in names.sql).
 */
const kinds = ["namespace", "owner", "tag", "title"] as const;
type Kind = (typeof kinds)[number];

interface NamedRow {
  id: number;
  name: string;
}

const statementsOf = (kind: Kind) => ({
  // Of several rows with spellings of one name, stored before names were folded, the one spelled like that comes first.
  lock: statement<NamedRow>(`${kind}-hold-named`)`
    WITH wanted AS MATERIALIZED (
      SELECT w.name, k.key, (
               SELECT id FROM ${kind} t WHERE t.folded = k.key
                ORDER BY t.name = w.name DESC, t.is_duplicate, t.id LIMIT 1) AS id
        FROM unnest($1::text[]) AS w (name) CROSS JOIN LATERAL (SELECT name_key(w.name) OFFSET 0) AS k (key))
    SELECT t.id, w.name FROM wanted w JOIN ${kind} t ON t.id = w.id AND t.folded = w.key
     ORDER BY t.id FOR KEY SHARE OF t`,
  // Concurrent transactions insert in one order, to avoid deadlocks, and wait for each other's rows.
  add: statement(`${kind}-add-named`)`
    WITH wanted AS MATERIALIZED (
      SELECT name, name_key(name) AS key, place FROM unnest($1::text[]) WITH ORDINALITY AS w (name, place))
    INSERT INTO ${kind} (name, folded)
    SELECT DISTINCT ON (key) name, key FROM wanted w
     WHERE NOT EXISTS (SELECT FROM ${kind} t WHERE t.folded = w.key)
     ORDER BY key, place
    ON CONFLICT DO NOTHING`,
});
const statements = new Map(kinds.map((kind) => [kind, statementsOf(kind)]));

/** How often a row that another transaction deletes at the same time is made again. */
const attempts = 5;

/**
 * Ids by name as given; what is missing is made. Two spellings of one name have one id. Nobody can delete these rows until the transaction ends.
 * Throws 503 when others keep deleting them.
 */
export async function ensureAllNamed(
  tx: Transaction,
  kind: Kind,
  names: Iterable<string>,
): Promise<Map<string, number>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const { lock, add } = statements.get(kind)!;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const rows = await tx.query(lock, [wanted]);
    const found = new Map(rows.map(({ id, name }) => [name, id]));
    if (found.size === wanted.length) return found;
    await tx.query(add, [wanted.filter((name) => !found.has(name))]);
  }
  throw unavailable(`The ${kind} is being deleted by others: try again`);
}

const keyOf = statement<{ key: string }>("name-key")`SELECT name_key($1) AS key`;

/** What all spellings of a name have in common. */
export async function nameKey(tx: Transaction, name: string): Promise<string> {
  return (await tx.query(keyOf, [name]))[0]!.key;
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
