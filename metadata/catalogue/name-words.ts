/** Longest word by whose parts something is found, and the shortest. */
const longest = 64;
const shortest = 4;

/**
 * The words of the ASCII ones among names by whose parts they are found, each once, in lower case: without digits at their end, and without
 * what looks like a key. As `search_stems` of metadata/schema/functions/search-inside.sql.
 */
export function wordsOfNames(names: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const name of names) {
    if (!isAscii(name)) continue;
    for (const [token] of name.matchAll(/[A-Za-z0-9]+/g)) {
      if (token.length >= shortest && token.length <= longest) addWords(token.toLowerCase(), words);
    }
  }
  return words;
}

// deno-lint-ignore no-control-regex -- ASCII
const ascii = /^[\u0000-\u007f]*$/;

export function isAscii(text: string): boolean {
  return ascii.test(text);
}

function addWords(token: string, words: Set<string>): void {
  let end = token.length;
  while (end > 0 && token[end - 1]! <= "9") end--;
  const stem = token.slice(0, end);
  if (stem.length >= shortest && !isKey(stem)) words.add(stem);
  // A year, say; longer numbers are too many to keep.
  const digits = token.length - stem.length;
  if (digits >= 3 && digits <= 4 && /^[a-z]{2,}$/.test(stem)) words.add(token);
}

/** Whether letters and digits change too often, or numbers are too long, for words that people write. */
function isKey(stem: string): boolean {
  const runs = stem.match(/[a-z]+/g)!;
  return runs.length > 3 || /[0-9]{4}/.test(stem);
}

/**
 * The names in a CATRN of what its entity is in, as text; null where only PostgreSQL decodes them. As `search_path` of
 * metadata/schema/functions/search.sql.
 */
export function namesOfPath(catrn: string): string | null {
  if (catrn.includes("%")) return null;
  const segments = catrn.replace(/^\/+/, "").split("/");
  const isEven = segments.length % 2 === 0;
  return segments.slice(0, -1).filter((_, at) => isEven || at % 2 === 0).join(" ");
}
