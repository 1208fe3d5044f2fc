/** Characters of a key that a path shows; longer keys are cut. */
const maxKey = 200;

/** The path of a field as error bodies write it: `items[3].dataset.field_list[0].type.type`. */
export function fieldPath(path: readonly PropertyKey[], before = ""): string {
  let text = before;
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += keyText(String(step), text === "");
  }
  return text;
}

function keyText(key: string, first: boolean): string {
  const known = key.length <= maxKey ? key : `${key.slice(0, maxKey).toWellFormed()}…`;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(known)) return `[${JSON.stringify(known)}]`;
  return first ? known : `.${known}`;
}
