/** Whether a text fits a pattern, in which `*` stands for any characters; in linear time for each star. */
function fitsPattern(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether a name is to be read; what is excluded is left out whatever includes it. */
export function isIncluded(
  name: string,
  { include, exclude }: { include: string[]; exclude: string[] },
): boolean {
  const fits = (pattern: string) => fitsPattern(pattern, name);
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits);
}
