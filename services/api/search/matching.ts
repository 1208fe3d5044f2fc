import type { Actor } from "#contract/actor.ts";
import type { SearchFamily, SearchState } from "#services/api/search/family.ts";
import type { Parameters } from "#services/api/search/parameters.ts";
import { idsOf } from "#services/api/search/state.ts";

/** The rows `e` that a search matches: FROM clause, condition and rank. */
export interface Matching {
  from: string;
  where: string;
  /** How well `e` matches the typed text; a constant when there is none. */
  rank: string;
  /** Whether text was typed. */
  typed: boolean;
}

/** The rows that a state matches, ignoring the facets in `except` and `my_objects`. */
export function matching(
  family: SearchFamily,
  state: SearchState,
  parameters: Parameters,
  except: readonly string[] = [],
): Matching {
  const { table, document, exact } = family;
  const conditions = family.shown(state, except);
  for (const [facet, { holds }] of family.facets) {
    const ids = idsOf(family, state, facet);
    if (ids.length === 0 || except.includes(facet)) continue;
    conditions.push(holds(parameters.bind(ids)));
  }
  const typed = state.query.trim() !== "";
  if (!typed) return { from: `${table} e`, where: all(conditions), rank: "0", typed };
  const query = `search_query(${parameters.bind(state.query)}::text)`;
  if (!exact?.looksLike(state.query)) {
    return {
      from: `${document.table} d JOIN ${table} e ON e.id = d.${document.key}`,
      where: all([`d.vector @@ ${query}`, ...conditions]),
      rank: `ts_rank(d.vector, ${query})`,
      typed,
    };
  }
  const whole = `${parameters.bind(state.query.trim())}::text`;
  const found = `e.id IN (
    SELECT ${document.key} FROM ${document.table} WHERE vector @@ ${query}
     UNION ALL SELECT id FROM ${table} WHERE ${exact.column} = ${whole})`;
  return {
    from: `${table} e LEFT JOIN ${document.table} d ON d.${document.key} = e.id`,
    where: all([found, ...conditions]),
    rank: `(e.${exact.column} = ${whole})::int + coalesce(ts_rank(d.vector, ${query}), 0)`,
    typed,
  };
}

/** The condition that an actor owns `e`; never true where `my_objects` is not supported. */
export function owned(
  family: SearchFamily,
  actor: Actor,
  parameters: Parameters,
): string {
  return family.owned?.(actor, parameters) ?? "false";
}

function all(conditions: string[]): string {
  return conditions.length === 0 ? "true" : conditions.map((one) => `(${one})`).join(" AND ");
}
