import type { Parameters, SearchFamily, SearchState } from "#services/api/search/family.ts";

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
interface QualifiedWords {
  words: string;
  last: string;
  before: string;
}

/** Something, then a dot, slash or colon, then something: a name with what it is in, such as `hr.orders`. */
export const qualifiedText = /\S[./\\:]+\S/;

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
    ...(qualifiedText.test(state.query.trim()) && {
      qualified: { words: of("plain"), last: of("last"), before: of("before") },
    }),
  };
}

function of(column: string): string {
  return `(SELECT ${column} FROM typed)`;
}

/** From here on a match is better than others by its name, whether or not it has the typed words whole elsewhere. */
export const namedWhole = 3;

/**
 * How a name matches, as SQL, as far as the family has these: 8 it is exactly the text, 7 it is what stands behind
 * the last dot of the text, and what stands before says what it is in, 6 it has the same words, 5 it begins with the words,
 * 4 with a part of the last one, 3 it has all words, 2 their beginnings, 1 words with these within, 0 none of it.
 */
export function nameMatch(document: SearchFamily["document"], typed: TypedText): string {
  const cases = [...byName(document, typed), ...byWords(document, typed)];
  return cases.length === 0 ? "0" : `CASE ${cases.join(" ")} ELSE 0 END`;
}

function byName(
  { name, same, context }: SearchFamily["document"],
  { raw, words, wordsAndMore, qualified }: TypedText,
): string[] {
  if (!name) return [];
  const isWhole = `${name} = ${words}`;
  const within = context && qualified && withinContext(name, context, qualified);
  return [
    ...(same ? [`WHEN ${isWhole} AND (${same([`btrim(${raw})`, bare(raw)])}) THEN 8`] : []),
    ...(within ? [`WHEN ${within.exact} THEN 7`] : []),
    `WHEN ${isWhole} THEN 6`,
    ...(within ? [`WHEN ${within.longer} THEN 6 WHEN ${within.begun} THEN 5`] : []),
    `WHEN starts_with(${name}, ${wordsAndMore}) THEN 5 WHEN starts_with(${name}, ${words}) THEN 4`,
  ];
}

/** The conditions that a name is the end of a text whose beginning says what it is in. The context is read last: it costs most. */
function withinContext(name: string, context: string, typed: QualifiedWords) {
  const before = `search_before(${typed.words}, ${name})`;
  const leads = `search_leads(${typed.before}, ${context})`;
  return {
    exact: `${name} = ${typed.last} AND ${leads}`,
    // A dot of the name itself: `prod.orders.v1` of orders.v1.
    longer: `${before} IS NOT NULL AND search_leads(${before}, ${context})`,
    begun: `starts_with(${name}, ${typed.last}) AND ${leads}`,
  };
}

function byWords(
  { names }: SearchFamily["document"],
  { whole, begun, found }: TypedText,
): string[] {
  return names
    ? [[whole, 3], [begun, 2], [found, 1]].map(([query, match]) =>
      `WHEN ${names} @@ ${query} THEN ${match}`
    )
    : [];
}

/** Without the marks that people write around a name, or behind it. */
const bare = (raw: string) => `btrim(${raw}, E' \\t\\n"\\'\`“”„«»‘’()[]{}<>?!:*,;.')`;

/** The condition that a text is one of these names, in whatever letter case and Unicode normal form. */
export function isSame(typed: string[], names: string[]): string {
  const folded = (text: string) => `search_lower(normalize(${text}, NFC))`;
  const any = typed.map(folded).join(", ");
  return names.map((name) => `${folded(name)} IN (${any})`).join(" OR ");
}
