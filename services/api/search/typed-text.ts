import type { SearchState } from "#services/api/search/family.ts";
import type { Parameters } from "#services/api/search/parameters.ts";

/** Typed text in a statement, as SQL. */
export interface TypedText {
  /** As it was typed. */
  raw: string;
  /** The query that finds: all words, each by its beginning or within a word of a name. */
  found: string;
  /** All words by their beginnings. */
  begun: string;
  /** All words as they are. */
  whole: string;
  /** What names are compared with; null without words. */
  words: string;
  /** Present if it may be a name with what it is in. */
  qualified?: Qualified;
}

/** A name with what it is in: all words, those behind the last dot or slash, and those before it. */
export interface Qualified {
  words: string;
  last: string;
  before: string;
}

/** Something, then a dot, slash or colon, then something: a name with what it is in, such as `hr.orders`. */
export const qualifiedText = /\S[./\\:]+\S/;

/** Whether the text may be a name with what it is in. */
export function isQualified({ query }: SearchState): boolean {
  return qualifiedText.test(query.trim());
}

const wordsOf = (raw: string) => `nullif(search_name(${raw}), '')`;
export const plainOf = (raw: string) => `search_plain(left(${raw}, 2000))`;
export const lastOf = (raw: string) =>
  `nullif(search_name(regexp_replace(left(${raw}, 2000), '^.*[./\\\\:]', '')), '')`;
const beforeOf = (raw: string) =>
  `search_plain(regexp_replace(left(${raw}, 2000), '[./\\\\:][^./\\\\:]*$', ''))`;

/** Computed from the value that the statement is planned for, each where it is asked for. */
export function plannedFor(state: SearchState, parameters: Parameters): TypedText {
  const raw = `${parameters.bind(state.query)}::text`;
  return {
    raw,
    // It reads a table, so that it would be computed for each row.
    found: `(SELECT search_query_inside(${raw}))`,
    begun: `search_query(${raw})`,
    whole: `search_query_whole(${raw})`,
    words: wordsOf(raw),
    ...(isQualified(state) && {
      qualified: { words: plainOf(raw), last: lastOf(raw), before: beforeOf(raw) },
    }),
  };
}

/** The typed text as what rows are compared with, for a statement that is planned once for all texts. */
export const typedOnce = `
  typed AS MATERIALIZED (
    SELECT search_query_inside($1::text) AS found, search_query($1::text) AS begun,
           search_query_whole($1::text) AS whole, ${wordsOf("$1::text")} AS words,
           ${plainOf("$1::text")} AS plain, ${lastOf("$1::text")} AS last, ${
  beforeOf("$1::text")
} AS before)`;

/** Refers to `typedOnce`; binds its value, the first of the statement. */
export function computedOnce(state: SearchState, parameters: Parameters): TypedText {
  const raw = `${parameters.bind(state.query)}::text`;
  const of = (column: string) => `(SELECT ${column} FROM typed)`;
  return {
    raw,
    found: of("found"),
    begun: of("begun"),
    whole: of("whole"),
    words: of("words"),
    ...(isQualified(state) && {
      qualified: { words: of("plain"), last: of("last"), before: of("before") },
    }),
  };
}
