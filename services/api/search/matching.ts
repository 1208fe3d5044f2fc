import type { Actor } from "#contract/actor.ts";
import {
  boundsOf,
  type Parameters,
  type SearchFamily,
  type SearchState,
} from "#services/api/search/family.ts";
import { idsOf } from "#services/api/search/sessions.ts";
import { nameMatch, textToFind, type TypedText } from "#services/api/search/typed-text.ts";

/** The rows `e` that a search matches, as SQL. */
export interface MatchClause {
  from: string;
  where: string;
  /** Present when text was typed. */
  typed?: TypedMatch;
}

/** How rows compare with the typed text. */
export interface TypedMatch {
  /** How the name matches: a greater number is better, whatever else a row says. Binds what it needs. */
  match: () => string;
  vector: string;
  text: TypedText;
  /** Those of the rows whose names begin with the text, read by names; where there is an index of these. */
  named?: () => Pick<MatchClause, "from" | "where">;
  /** Those of the rows whose names have all typed words, read by the words of names; where there is an index of these. */
  inNames?: () => Pick<MatchClause, "from" | "where">;
}

/**
 * The rows that a state matches, ignoring the facets in `except` and `my_objects`. `typedText`: `textToRank`, if the
 * statement ranks them.
 */
export function matching(
  family: SearchFamily,
  state: SearchState,
  parameters: Parameters,
  { except = [], typedText = textToFind }: {
    except?: readonly string[];
    typedText?: (state: SearchState, parameters: Parameters) => TypedText;
  } = {},
): MatchClause {
  const { table, document, exact, listed = [] } = family;
  const conditions = family.shown(state, except);
  for (const [facet, { holds }] of family.facets) {
    const ids = idsOf(family, state, facet);
    if (ids.length === 0 || except.includes(facet)) continue;
    conditions.push(holds(parameters.bind(ids)));
  }
  const text = state.query.trim();
  if (text === "") return { from: `${table} e`, where: all([...listed, ...conditions]) };
  const typed = typedText(state, parameters);
  const match = () => nameMatch(document, typed);
  if (!exact?.looksLike(state.query)) {
    const { from, vector, key, shown } = documents(family);
    const others = [...shown, ...conditions];
    const where = all([foundBy(document, { vector, key, typed }), ...others]);
    const named = namedLike(family, typed, others);
    const inNames = namedWith(family, typed, { from, others });
    return { from, where, typed: { match, vector, text: typed, named, inNames } };
  }
  const whole = `e.${exact.column} = rtrim(${parameters.bind(text)}::text, '/')`;
  const found = `e.id IN (
    SELECT ${document.key} FROM ${document.table}
     WHERE ${foundBy(document, { vector: "vector", key: document.key, typed })}
     UNION ALL SELECT e.id FROM ${table} e WHERE ${whole})`;
  return {
    from: `${table} e LEFT JOIN ${document.table} d ON d.${document.key} = e.id`,
    where: all([found, ...listed, ...conditions]),
    typed: { match: () => `(${whole})::int`, vector: "d.vector", text: typed },
  };
}

/** Where rows with words are read: from documents alone if these have all that is needed. */
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

/** The condition that a document has the typed words. Keys are computed once per statement, not for each row. */
function foundBy(
  { wide }: SearchFamily["document"],
  { vector, key, typed }: { vector: string; key: string; typed: TypedText },
): string {
  const all = `${vector} @@ ${typed.found}`;
  return wide ? `${all} OR ${key} = ANY((SELECT ${wide(typed.raw)})::bigint[])` : all;
}

/** Greater than every character of a name: the last code point, which is not a character. */
const beyond = "chr(1114111)";

/**
 * Documents whose names begin with the text, the first of them by name. The planner knows little of words, and would read
 * those instead.
 */
function namedLike(
  family: SearchFamily,
  { found, words, qualified }: TypedText,
  others: string[],
): TypedMatch["named"] {
  const { complete, key, table, name, nameIndex, names } = family.document;
  // A name that is typed with what it is in does not begin with the text.
  if (!complete || !name || !nameIndex || qualified) return undefined;
  // A vector of names is short, and mostly settles it; all words of a row are stored elsewhere.
  const vectors = [...(names ? [names] : []), "e.vector"];
  return () => ({
    from: `(SELECT ${key} AS id, * FROM ${table} e
             WHERE ${name} ~>=~ ${words} AND ${name} ~<~ (${words} || ${beyond})
             ORDER BY ${name} USING ~<~ LIMIT ${boundsOf(family).ranked}) e`,
    where: all([vectors.map((one) => `${one} @@ ${found}`).join(" OR "), ...others]),
  });
}

/** Documents whose names have all typed words, or their beginnings. */
function namedWith(
  { document: { complete, names } }: SearchFamily,
  { found }: TypedText,
  { from, others }: { from: string; others: string[] },
): TypedMatch["inNames"] {
  if (!complete || !names) return undefined;
  return () => ({ from, where: all([`${names} @@ ${found}`, ...others]) });
}

/** The condition that an actor owns `e`; never true where `my_objects` is not supported. */
export function owned(
  family: SearchFamily,
  actor: Actor,
  parameters: Parameters,
): string {
  return family.owned?.(actor, parameters) ?? "false";
}

/** All conditions as one. */
export function all(conditions: string[]): string {
  return conditions.length === 0 ? "true" : conditions.map((one) => `(${one})`).join(" AND ");
}
