import type { Queryable } from "#metadata/postgres/database.ts";
import { composedStatement, type JsonRow, type Statement } from "#metadata/postgres/statement.ts";
import type { Actor } from "#contract/actor.ts";
import type { Context } from "#platform/context.ts";
import {
  boundsOf,
  Parameters,
  type SearchBounds,
  type SearchFamily,
  type SearchState,
  type SuggestionSpec,
} from "#services/api/search/family.ts";
import {
  all,
  type MatchClause,
  matching,
  owned,
  type TypedMatch,
} from "#services/api/search/matching.ts";
import { emptyState } from "#services/api/search/sessions.ts";
import { namedWhole, textToRank, typedOnce } from "#services/api/search/typed-text.ts";

type Deps = Pick<Context, "db" | "config">;

/**
 * Of how many matches, those with the best names (and of these the first in order of id), the words are weighed. Others
 * follow by how their names match, and by id.
 */
export const maxWeighed = 1_000;

/** The same for suggestions, which are requested at every keystroke. */
export const maxWeighedToSuggest = 200;

/** One page of the results as JSON text, best matches first. The total ends with what is counted, unless all are ranked. */
export async function results(
  context: Deps,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
  page: { limit: number; offset: number },
): Promise<string> {
  const p = new Parameters();
  const bounds = page.offset + page.limit > boundsOf(family).ranked ? null : boundsOf(family);
  const { from, where, typed } = matching(family, state, p, { typedText: textToRank });
  const more = state.my_objects ? [owned(family, actor, p)] : [];
  const [limit, offset] = [p.bind(page.limit), p.bind(page.offset)];
  const m = typed
    ? `${typedOnce(typed.text.raw)}, ${candidates(typed, { from, where }, { bounds, more })},
      ranked AS (${ranked(typed, family, page.offset + page.limit)})`
    // Without ranks the order is that of an index.
    : `found AS NOT MATERIALIZED (SELECT e.id FROM ${from} WHERE ${all([where, ...more])}),
      ranked AS (SELECT id FROM found)`;
  const ids = `ARRAY(SELECT id FROM ranked ORDER BY ${typed ? byRank : "id"}
                      LIMIT ${limit} OFFSET ${offset})`;
  const [total, isMinimum] = bounds
    ? [`least(t.total, ${bounds.counted})`, `t.total > ${bounds.counted}`]
    : ["t.total", "false"];
  const found = { ids, total, isMinimum, hasNext: `${limit}::bigint + ${offset} < t.total` };
  const statement = `
    WITH ${m}
    SELECT (${family.results.json(found, p, context)})::text AS json
      FROM (SELECT count(*) AS total FROM (SELECT FROM found LIMIT ${limitOf(bounds)}) counted) t`;
  return await json(context.db.reads, statement, p);
}

/** One more than are counted shows that there are more. */
const limitOf = (bounds: SearchBounds | null) => bounds ? bounds.counted + 1 : "ALL";

type Rows = Pick<MatchClause, "from" | "where">;

/** The rows of a match with what ranks them; `more` are further conditions. */
function rowsOf(
  { match, vector }: TypedMatch,
  { from, where }: Rows,
  more: string[],
  matchOf = (match: string) => match,
): string {
  return `SELECT e.id, ${matchOf(match())} AS match, ${vector} AS vector FROM ${from}
           WHERE ${all([where, ...more])}`;
}

/**
 * The rows `found`: all that match, or one more than are counted. And the rows `m` (or `as`) among which the best are: those
 * found, or if these are more than are ranked, the first of them and those with the best names.
 */
function candidates(
  typed: TypedMatch,
  matching: Rows,
  { bounds, more, as = "m" }: { bounds: SearchBounds | null; more: string[]; as?: string },
): string {
  if (!bounds) {
    return `found AS MATERIALIZED (${
      rowsOf(typed, matching, more)
    }), ${as} AS (SELECT * FROM found)`;
  }
  const { ranked } = bounds;
  // The others are only counted.
  const ofFirst = (match: string) =>
    `CASE WHEN row_number() OVER () <= ${ranked} THEN ${match} END`;
  const best = [
    ...(typed.named
      ? [`${rowsOf(typed, typed.named(), more)} ORDER BY match DESC, id LIMIT ${maxWeighed}`]
      : []),
    ...(typed.inNames ? [`${rowsOf(typed, typed.inNames(), more)} LIMIT ${ranked}`] : []),
    `SELECT * FROM found WHERE match IS NOT NULL`,
  ].map((one) => `SELECT * FROM (${one}) b WHERE (SELECT so FROM many)`);
  return `
    found AS MATERIALIZED (${rowsOf(typed, matching, more, ofFirst)} LIMIT ${limitOf(bounds)}),
    many AS MATERIALIZED (SELECT count(*) > ${ranked} AS so FROM found),
    ${as} AS (
      SELECT * FROM found WHERE NOT (SELECT so FROM many)
       UNION ALL
      SELECT * FROM (SELECT DISTINCT ON (id) * FROM (${best.join(" UNION ALL ")}) named) best)`;
}

const byRank = "match DESC, whole DESC, rank DESC, id";

/** At least the first `wanted` of the rows `m` with their ranks; those with the typed words whole are before others. */
function ranked(
  { text: { begun, whole } }: TypedMatch,
  { usage }: Pick<SearchFamily, "usage">,
  wanted: number,
  weighed = maxWeighed,
): string {
  // A million reads weigh 2.4 times as much as none.
  const weight = usage ? ` * (1 + ln(1 + coalesce(${usage("best.id")}, 0)) / 10)` : "";
  const first = `
    SELECT id, match, CASE WHEN match < ${namedWhole} THEN coalesce(vector @@ ${whole}, false)::int ELSE 0 END AS whole,
           coalesce(ts_rank(vector, ${begun}), 0)${weight} AS rank
      FROM (SELECT * FROM m ORDER BY match DESC, id LIMIT ${weighed}) best`;
  const rest = `
    SELECT id, match, -1, -1 FROM (SELECT id, match FROM m ORDER BY match DESC, id
                                    LIMIT ${wanted - weighed} OFFSET ${weighed}) others`;
  return wanted > weighed ? `${first} UNION ALL ${rest}` : first;
}

/** The best matches of the typed text as JSON text; empty for no text. */
export async function suggestions(
  context: Deps,
  family: SearchFamily,
  spec: SuggestionSpec,
  { query, ...others }: { query: string } & Record<string, unknown>,
): Promise<string> {
  const p = new Parameters();
  const { from, where, typed } = matching(
    family,
    { ...emptyState, query },
    p,
    { typedText: textToRank },
  );
  // A parameter that no part of the statement uses is an error of PostgreSQL.
  const narrowed = typed ? spec.narrowed?.holds(others, p) ?? [] : [];
  const ids = typed
    ? `ARRAY(SELECT id FROM (${ranked(typed, family, spec.max, maxWeighedToSuggest)}) ranked
              ORDER BY ${byRank} LIMIT ${spec.max})`
    : "'{}'::bigint[]";
  const statement = `
    ${
    typed
      ? `WITH ${typedOnce(typed.text.raw)}, ${
        bestNamedFirst(typed, { from, where }, narrowed, {
          enough: spec.max,
          bounds: boundsOf(family),
        })
      }`
      : ""
  }
    SELECT (${spec.json({ ids }, p, context)})::text AS json`;
  return await json(context.db.reads, composedStatement("suggestions", statement), p);
}

/** The rows `m` for the best suggestions: those named exactly like the text, if they suffice. */
function bestNamedFirst(
  typed: TypedMatch,
  matching: Rows,
  narrowed: string[],
  { enough, bounds }: { enough: number; bounds: SearchBounds },
): string {
  if (!typed.named) return candidates(typed, matching, { bounds, more: narrowed });
  const others = candidates(typed, matching, {
    bounds,
    more: ["NOT (SELECT so FROM enough)", ...narrowed],
    as: "others",
  });
  return `
    named AS MATERIALIZED (
      ${
    rowsOf(typed, typed.named(), narrowed)
  } ORDER BY match DESC, id LIMIT ${maxWeighedToSuggest}),
    enough AS MATERIALIZED (SELECT count(*) >= ${enough} AS so FROM named),
    ${others},
    m AS (SELECT * FROM named WHERE (SELECT so FROM enough) UNION ALL SELECT * FROM others)`;
}

async function json(
  db: Queryable,
  statement: Statement<JsonRow> | string,
  { values }: Parameters,
): Promise<string> {
  return (await db.query<JsonRow>(statement, values))[0]!.json;
}
