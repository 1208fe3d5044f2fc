const escapes = new Map([["&lt;", "<"], ["&gt;", ">"], ["&amp;", "&"]]);

/**
 * The provider's markup as people read it: links with their address, names of channels, mentions; formatting stays as
 * it was typed.
 */
export function plainText(markup: string): string {
  return markup.replaceAll(/<([^<>]*)>/g, (_, inner: string) => readable(inner))
    .replaceAll(/&(?:lt|gt|amp);/g, (escape) => escapes.get(escape)!);
}

function readable(inner: string): string {
  const bar = inner.indexOf("|");
  const [target, label] = bar < 0 ? [inner, ""] : [inner.slice(0, bar), inner.slice(bar + 1)];
  if (target.startsWith("@")) return `@${label || target.slice(1)}`;
  if (target.startsWith("#")) return `#${label || target.slice(1)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1)}`;
  return label === "" || label === target ? target : `${label} (${target})`;
}
