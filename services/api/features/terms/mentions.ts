/** A term that a text names as `[[namespace:term]]`. */
export interface Mention {
  namespace: string;
  name: string;
}

/** Most different terms that one text may mention. */
export const maxMentions = 500;

/** Longest name of a namespace or a term, in UTF-16 units. */
const longestName = 255;

/**
 * The terms that a text mentions, each once, in the order of the text. The namespace ends at the first colon; blanks
 * around either name do not count. Brackets, line breaks and names longer than 255 characters make no mention.
 */
export function mentionsIn(text: string): Mention[] {
  const found = new Map<string, Mention>();
  for (let at = text.indexOf("[["); at !== -1; at = text.indexOf("[[", at + 1)) {
    const inner = text.slice(at + 2, at + 2 + 2 * longestName + 64);
    const end = inner.indexOf("]]");
    const mention = end === -1 ? undefined : mentionOf(inner.slice(0, end));
    if (mention) found.set(`${mention.namespace}:${mention.name}`, mention);
  }
  return [...found.values()];
}

function mentionOf(inner: string): Mention | undefined {
  if (/[[\]\r\n]/.test(inner)) return undefined;
  const colon = inner.indexOf(":");
  if (colon === -1) return undefined;
  const [namespace, name] = [inner.slice(0, colon).trim(), inner.slice(colon + 1).trim()];
  const fits = (part: string) => part.length > 0 && part.length <= longestName;
  return fits(namespace) && fits(name) ? { namespace, name } : undefined;
}
