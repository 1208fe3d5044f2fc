/** Whether a name is like a pattern of `NamePattern`, whatever its letter case. Time: their lengths multiplied at most. */
export function nameLike(pattern: string): (name: string) => boolean {
  const wanted = [...pattern.toLowerCase()];
  if (!/[*?]/.test(pattern)) return (name) => name.toLowerCase().includes(pattern.toLowerCase());
  return (name) => matches([...name.toLowerCase()], wanted);
}

/** Goes back only to the last `*`, since what one before it could take, the last can take as well. */
function matches(name: string[], pattern: string[]): boolean {
  let [at, of] = [0, 0];
  let star: { at: number; of: number } | undefined;
  while (at < name.length) {
    if (pattern[of] === "*") star = { at, of: of++ };
    else if (pattern[of] === "?" || (of < pattern.length && pattern[of] === name[at])) {
      at++;
      of++;
    } else if (star) {
      at = ++star.at;
      of = star.of + 1;
    } else return false;
  }
  while (pattern[of] === "*") of++;
  return of === pattern.length;
}
