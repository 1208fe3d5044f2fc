import type { Actor } from "#contract/actor.ts";
import type { SearchFamily, SearchState } from "#services/api/search/family.ts";
import type { Parameters } from "#services/api/search/parameters.ts";
import { idsOf } from "#services/api/search/state.ts";

/** The rows `e` that a search matches, as SQL. */
export interface Matching {
  from: string;
  where: string;
  /** Present when text was typed. */
  typed?: Typed;
}

/** How rows compare with the typed text. */
export interface Typed {
  /** How the name matches: a greater number is better, whatever else a row says. Binds what it needs. */
  match: () => string;
  vector: string;
  query: string;
  /** Those of the rows whose names begin with the text, read by names; where there is an index of these. */
  named?: () => Pick<Matching, "from" | "where">;
}

/** The rows that a state matches, ignoring the facets in `except` and `my_objects`. */
export function matching(
  family: SearchFamily,
  state: SearchState,
  parameters: Parameters,
  except: readonly string[] = [],
): Matching {
  const { table, document, exact, listed = [] } = family;
  const conditions = family.shown(state, except);
  for (const [facet, { holds }] of family.facets) {
    const ids = idsOf(family, state, facet);
    if (ids.length === 0 || except.includes(facet)) continue;
    conditions.push(holds(parameters.bind(ids)));
  }
  const text = state.query.trim();
  if (text === "") return { from: `${table} e`, where: all([...listed, ...conditions]) };
  const typed = `${parameters.bind(state.query)}::text`;
  const query = `search_query(${typed})`;
  const match = () => nameMatch(document, query, () => parameters.bind(text));
  if (!exact?.looksLike(state.query)) {
    const { from, vector, key, shown } = documents(family);
    const others = [...shown, ...conditions];
    const where = all([foundBy(document, { vector, key, query, typed }), ...others]);
    const named = namedLike(family, query, others, () => parameters.bind(text));
    return { from, where, typed: { match, vector, query, named } };
  }
  const whole = `e.${exact.column} = ${parameters.bind(text)}::text`;
  const found = `e.id IN (
    SELECT ${document.key} FROM ${document.table}
     WHERE ${foundBy(document, { vector: "vector", key: document.key, query, typed })}
     UNION ALL SELECT e.id FROM ${table} e WHERE ${whole})`;
  return {
    from: `${table} e LEFT JOIN ${document.table} d ON d.${document.key} = e.id`,
    where: all([found, ...listed, ...conditions]),
    typed: { match: () => `(${whole})::int`, vector: "d.vector", query },
  };
}

/** Where rows with words are read: from documents alone if these have all that is asked. */
function documents({ table, document, listed = [] }: SearchFamily) {
  return document.complete
    ? {
      from: `(SELECT ${document.key} AS id, * FROM ${document.table}) e`,
      vector: "e.vector",
      key: "e.id",
      shown: [],
    }
    : {
      from: `${document.table} d JOIN ${table} e ON e.id = d.${document.key}`,
      vector: "d.vector",
      key: `d.${document.key}`,
      shown: listed,
    };
}

/** The condition that a document has the typed words. Keys are asked for once a statement, not for each row. */
function foundBy(
  { wide }: SearchFamily["document"],
  at: { vector: string; key: string; query: string; typed: string },
): string {
  const all = `${at.vector} @@ ${at.query}`;
  return wide ? `${all} OR ${at.key} = ANY((SELECT ${wide(at.typed)})::bigint[])` : all;
}

/** Documents whose names begin with the text. The planner knows little of words, and would read those instead. */
function namedLike(
  { document: { complete, key, table, name, names } }: SearchFamily,
  query: string,
  others: string[],
  bindText: () => string,
): Typed["named"] {
  if (!complete || !name) return undefined;
  // A vector of names is short, and mostly settles it; all words of a row are stored elsewhere.
  const vectors = [...(names ? [names] : []), "e.vector"];
  return () => ({
    from: `(SELECT ${key} AS id, * FROM ${table} e
             WHERE starts_with(${name}, search_words(${bindText()}::text)) OFFSET 0) e`,
    where: all([vectors.map((one) => `${one} @@ ${query}`).join(" OR "), ...others]),
  });
}

/** 3: the whole name, 2: its beginning, 1: its words, as far as the family has these. */
function nameMatch(
  { name, names }: SearchFamily["document"],
  query: string,
  bindText: () => string,
): string {
  const cases = [];
  if (name) {
    const words = `search_words(${bindText()}::text)`;
    cases.push(`WHEN ${name} = ${words} THEN 3 WHEN starts_with(${name}, ${words}) THEN 2`);
  }
  if (names) cases.push(`WHEN ${names} @@ ${query} THEN 1`);
  return cases.length === 0 ? "0" : `CASE ${cases.join(" ")} ELSE 0 END`;
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
