import type { Queryable } from "#metadata/postgres/database.ts";
import type { Actor } from "#contract/actor.ts";
import type { Context } from "#platform/context.ts";
import type { SearchFamily, SearchState, SuggestionSpec } from "#services/api/search/family.ts";
import { matching, owned } from "#services/api/search/matching.ts";
import { Parameters } from "#services/api/search/parameters.ts";
import { emptyState } from "#services/api/search/state.ts";

type Tools = Pick<Context, "db" | "config">;

/** One page of the results as JSON text, best matches first. */
export async function results(
  context: Tools,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
  page: { limit: number; offset: number },
): Promise<string> {
  const p = new Parameters();
  const { from, where, rank, typed } = matching(family, state, p);
  const mine = state.my_objects ? `AND ${owned(family, actor, p)}` : "";
  const [limit, offset] = [p.bind(page.limit), p.bind(page.offset)];
  const ids = `ARRAY(SELECT id FROM m ORDER BY ${typed ? "rank DESC, " : ""}id
                      LIMIT ${limit} OFFSET ${offset})`;
  const found = { ids, total: "t.total", hasNext: `${limit}::bigint + ${offset} < t.total` };
  // Ranks are computed once for all rows; without ranks the order is that of an index.
  const statement = `
    WITH m AS ${typed ? "MATERIALIZED" : "NOT MATERIALIZED"} (
      SELECT e.id, ${rank} AS rank FROM ${from} WHERE ${where} ${mine})
    SELECT (${family.results.json(found, p, context)})::text AS json
      FROM (SELECT count(*) AS total FROM m) t`;
  return await json(context.db, statement, p);
}

/** The five best matches of the typed text as JSON text; empty for no text. */
export async function suggestions(
  context: Tools,
  family: SearchFamily,
  spec: SuggestionSpec,
  { query, ...others }: { query: string } & Record<string, unknown>,
): Promise<string> {
  const p = new Parameters();
  const { table, document } = family;
  const conditions = [
    ...family.shown(emptyState, []),
    ...spec.narrowed?.holds(others, p) ?? [],
  ].map((condition) => `AND (${condition})`);
  const ids = "ARRAY(SELECT id FROM best ORDER BY rank DESC, id)";
  const statement = `
    WITH q AS (SELECT search_query(${p.bind(query)}::text) AS query),
    best AS (
      SELECT e.id, ts_rank(d.vector, q.query) AS rank
        FROM q JOIN ${document.table} d ON d.vector @@ q.query
        JOIN ${table} e ON e.id = d.${document.key}
       WHERE true ${conditions.join(" ")} ORDER BY rank DESC, e.id LIMIT 5)
    SELECT (${spec.json({ ids }, p, context)})::text AS json`;
  return await json(context.db, statement, p);
}

async function json(db: Queryable, statement: string, { values }: Parameters): Promise<string> {
  return (await db.query<{ json: string }>(statement, values))[0]!.json;
}
