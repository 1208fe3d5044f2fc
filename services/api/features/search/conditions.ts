import { entityStatuses } from "#contract/entities.ts";
import type { Actor } from "#contract/actor.ts";
import { type Facet, facetNames, facets, fitting } from "#services/api/features/search/facets.ts";
import { idsOf, type SearchState } from "#services/api/features/search/state.ts";

/** The bound values of a statement that is put together from pieces. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; its place, such as `$3`. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** What a search matches: a FROM clause over `data_entity e`, its condition, and its rank. */
export interface Matching {
  from: string;
  where: string;
  /** How well `e` matches what was typed; a constant when nothing was. */
  rank: string;
  /** Whether something was typed. */
  typed: boolean;
}

/**
 * The entities that a state matches, but for the facets in `except` and for `my_objects`. Deleted ones
 * are hidden unless that status is chosen, or statuses themselves are excepted.
 */
export function matching(
  state: SearchState,
  parameters: Parameters,
  except: readonly Facet[] = [],
): Matching {
  const conditions = ["NOT e.hollow AND NOT e.excluded_from_search"];
  const deleted = idsOf(state, "statuses").includes(entityStatuses.DELETED);
  if (!deleted && !except.includes("statuses")) {
    conditions.push(`e.status <> ${entityStatuses.DELETED}`);
  }
  for (const facet of facetNames) {
    const ids = idsOf(state, facet);
    if (ids.length === 0 || except.includes(facet)) continue;
    conditions.push(facets[facet].holds(parameters.bind(fitting(facet, ids))));
  }
  const typed = state.query.trim() !== "";
  if (!typed) return { from: "data_entity e", where: all(conditions), rank: "0", typed };
  const query = `search_query(${parameters.bind(state.query)}::text)`;
  if (looksLikeCatrn(state.query)) return byCatrn(state.query, query, conditions, parameters);
  return {
    from: "search_document d JOIN data_entity e ON e.id = d.entity_id",
    where: all([`d.vector @@ ${query}`, ...conditions]),
    rank: `ts_rank(d.vector, ${query})`,
    typed,
  };
}

/** Whoever pastes the name of an entity means that entity, though its document does not hold it. */
const looksLikeCatrn = (typed: string) => typed.trim().startsWith("//");

function byCatrn(
  typed: string,
  query: string,
  conditions: string[],
  parameters: Parameters,
): Matching {
  const catrn = `${parameters.bind(typed.trim())}::text`;
  const found = `e.id IN (
    SELECT entity_id FROM search_document WHERE vector @@ ${query}
     UNION ALL SELECT id FROM data_entity WHERE catrn = ${catrn})`;
  return {
    from: "data_entity e LEFT JOIN search_document d ON d.entity_id = e.id",
    where: all([found, ...conditions]),
    rank: `(e.catrn = ${catrn})::int + coalesce(ts_rank(d.vector, ${query}), 0)`,
    typed: true,
  };
}

/** The condition that the caller owns `e`; never true for an anonymous actor. */
export function owned(actor: Actor, parameters: Parameters): string {
  if (actor.name === null) return "false";
  const username = parameters.bind(actor.name);
  return `e.id IN (
    SELECT o.entity_id FROM ownership o JOIN user_owner u ON u.owner_id = o.owner_id
     WHERE u.username = ${username} AND u.provider = ${parameters.bind(actor.provider)})`;
}

function all(conditions: string[]): string {
  return conditions.map((condition) => `(${condition})`).join(" AND ");
}
