const shorthands = new Map([["n", "\n"], ["t", "\t"], ["r", "\r"], ["b", "\b"], ["f", "\f"]]);

/**
 * What the service says, as people read it: without the quotes around it and with its escapes resolved.
 * Text that is neither quoted nor escaped stays as it is.
 */
export function readable(said: string): string {
  const bare = said.trim().replace(/^"/, "").replace(/"$/, "");
  return bare.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
    (_, code?: string, letter = "") =>
      code === undefined
        ? shorthands.get(letter) ?? letter
        : String.fromCharCode(parseInt(code, 16)),
  ).toWellFormed();
}
