import type { Parameters, SearchState } from "#services/api/search/family.ts";

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
  /** The same with a space behind it, as names have it that go on. */
  wordsAndMore: string;
  /** Present if it may be a name with what it is in. */
  qualified?: QualifiedWords;
}

/** A name with what it is in: all words, those behind the last dot or slash, and those before it. */
export interface QualifiedWords {
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

/** What finds, by itself. */
export function textToFind(state: SearchState, parameters: Parameters): TypedText {
  const raw = `${parameters.bind(state.query)}::text`;
  // It reads a table: without a sub-select it would be computed for each row.
  return textOf(state, raw, { found: `(SELECT search_query_inside(${raw}))` });
}

/** What finds and how matches rank, computed by `typedOnce`, which the statement has to begin with. */
export function textToRank(state: SearchState, parameters: Parameters): TypedText {
  return textOf(state, `${parameters.bind(state.query)}::text`);
}

/** `WITH` of a statement: all that is computed of the typed text. */
export const typedOnce = (raw: string) => `
  typed AS MATERIALIZED (
    SELECT search_query_inside(${raw}) AS found, search_query(${raw}) AS begun,
           search_query_whole(${raw}) AS whole, ${wordsOf(raw)} AS words, ${
  wordsOf(raw)
} || ' ' AS words_and_more,
           ${plainOf(raw)} AS plain, ${lastOf(raw)} AS last, ${beforeOf(raw)} AS before)`;

function textOf(state: SearchState, raw: string, { found = of("found") } = {}): TypedText {
  return {
    raw,
    found,
    begun: of("begun"),
    whole: of("whole"),
    words: of("words"),
    wordsAndMore: of("words_and_more"),
    ...(isQualified(state) && {
      qualified: { words: of("plain"), last: of("last"), before: of("before") },
    }),
  };
}

function of(column: string): string {
  return `(SELECT ${column} FROM typed)`;
}
