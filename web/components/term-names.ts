/** What Markdown would take for a sign. */
const signs = /[\\`*_{}[\]<>()#+!|~-]/g;

/**
 * Makes links of the mentions `[[namespace:term]]` in Markdown, by their names: what leads to a term that nobody has
 * defined yet offers to define it. Code stays as it was written.
 */
export function linkTerms(text: string): string {
  return text.replace(
    /(`{1,3})[\s\S]*?\1|\[\[([^[\]\r\n:]{1,300}):([^[\]\r\n]{1,300})\]\]/g,
    (whole, _code, namespace?: string, name?: string) => {
      const [from, term] = [namespace?.trim(), name?.trim()];
      if (!from || !term) return whole;
      return `[${term.replace(signs, "\\$&")}](${addressOfTerm(from, term)})`;
    },
  );
}

/** Where a term is found by its names, below the base of the interface. */
function addressOfTerm(namespace: string, name: string): string {
  const named = encodeURIComponent(`${namespace}:${name}`)
    .replace(/[()'*!~_]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `./terms?name=${named}`;
}

/** A text with the names of the terms that it mentions, for a place without links. */
export function withoutMentions(text: string): string {
  return text.replace(/\[\[[^[\]\r\n:]{1,300}:([^[\]\r\n]{1,300})\]\]/g, (_, name) => name.trim());
}

/** The names in `namespace:term`; the namespace ends at the first colon. */
export function namesOfTerm(text: string): { namespace: string; name: string } | undefined {
  const colon = text.indexOf(":");
  const namespace = text.slice(0, Math.max(colon, 0)).trim();
  const name = text.slice(colon + 1).trim();
  return namespace && name ? { namespace, name } : undefined;
}
