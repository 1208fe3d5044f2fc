/**
 * Names that mean the same type in every system that has both. Left out on purpose, since systems
 * differ: int8 (8 bits or 8 bytes), float and real, text and string, number, datetime, tinyint(1).
 */
const synonyms: [RegExp, string][] = [
  [/\bint4?\b(?!:)/g, "integer"],
  [/\bbool\b(?!:)/g, "boolean"],
  [/\bchar(?:acter)? varying\b(?!:)/g, "varchar"],
  [/\bcharacter\b(?!:)/g, "char"],
  [/\b(?:dec|numeric)\b(?!:)/g, "decimal"],
  [/\b(?:double precision|float8)\b(?!:)/g, "double"],
  [/\b(time|timestamp)(\(\d+\))? ?with time zone\b/g, "$1tz$2"],
  [/\b(time|timestamp)(\(\d+\))? ?without time zone\b/g, "$1$2"],
  // A scale of 0 is the default. How wide an integer is shown says nothing of its values.
  [/\bdecimal\((\d+),0\)/g, "decimal($1)"],
  [/\b(smallint|mediumint|integer|bigint)\(\d+\)/g, "$1"],
];

/**
 * A logical type in one spelling: without regard to case, blanks, quotes around names, and synonyms.
 * Texts in single quotes (values of an enumeration) stay as they are. Two types with the same spelling
 * are the same type.
 */
export function typeSpelling(logicalType: string): string {
  return logicalType.split("'")
    .map((part, at) => (at % 2 === 1 ? part : spelled(part)))
    .join("'").trim();
}

function spelled(text: string): string {
  const plain = text.toLowerCase()
    .replace(/["`]/g, "")
    .replace(/(^|[^\w\])>])\[([a-z_][\w ]*)\]/g, "$1$2")
    .replace(/\s+/g, " ")
    .replace(/ ?([(),:<>[\]=]) ?/g, "$1")
    .replace(/\)(?=\w)/g, ") ");
  return synonyms.reduce((name, [pattern, same]) => name.replace(pattern, same), plain);
}
