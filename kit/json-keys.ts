/**
 * A key that an object of a valid JSON text has twice; undefined where none has. Parsers take the last of them, a reader or
 * another program may take the first: a reviewer of such a text does not see which applies.
 */
export function repeatedKey(json: string): string | undefined {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      if (keys && isKey(json, end)) {
        const key: string = JSON.parse(json.slice(at, end));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Where a string that begins at `at` is over. */
function endOfString(json: string, at: number): number {
  for (let next = at + 1; next < json.length; next++) {
    if (json[next] === "\\") next++;
    else if (json[next] === '"') return next + 1;
  }
  return json.length;
}

/** In an object a string before a colon is a key. */
function isKey(json: string, end: number): boolean {
  for (let at = end; at < json.length; at++) {
    if (!" \t\r\n".includes(json[at]!)) return json[at] === ":";
  }
  return false;
}
