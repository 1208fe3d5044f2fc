import type { SearchFamily } from "#services/api/search/family.ts";
import type { TypedText } from "#services/api/search/typed-text.ts";

/**
 * How a name matches, as SQL, as far as the family has these: 8 it is the text letter by letter, 7 it is the end of the text,
 * of which the rest says what it is in, 6 it has the same words, 5 it begins with the words, 4 with a part of the last one,
 * 3 it has all words, 2 their beginnings, 1 words with these within, 0 none of it.
 */
export function nameMatch(document: SearchFamily["document"], typed: TypedText): string {
  const cases = [...byName(document, typed), ...byWords(document, typed)];
  return cases.length === 0 ? "0" : `CASE ${cases.join(" ")} ELSE 0 END`;
}

function byName(
  { name, same, context }: SearchFamily["document"],
  { raw, words, last, before }: TypedText,
): string[] {
  if (!name) return [];
  const typed = words();
  const [end, start] = [last?.(), before?.()];
  const isWhole = `${name} = ${typed}`;
  return [
    ...(same ? [`WHEN ${isWhole} AND ${same(`btrim(${raw}, E' \\t\\n"')`)} THEN 8`] : []),
    ...(context && start
      ? [`WHEN search_leads(search_before(${typed}, ${name}), ${context}) THEN 7`]
      : []),
    `WHEN ${isWhole} THEN 6 WHEN starts_with(${name}, ${typed} || ' ') THEN 5`,
    ...(context && start
      ? [`WHEN starts_with(${name}, ${end}) AND search_leads(${start}, ${context}) THEN 4`]
      : []),
    `WHEN starts_with(${name}, ${typed}) THEN 4`,
  ];
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

/** The condition that a text is one of these names, in whatever letter case and Unicode normal form. */
export function isSame(typed: string, ...names: string[]): string {
  const folded = (text: string) => `search_lower(normalize(${text}, NFC))`;
  return `${folded(typed)} IN (${names.map(folded).join(", ")})`;
}
