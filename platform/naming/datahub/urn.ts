/** A urn of DataHub: `urn:li:<type>:<id>`, or `urn:li:<type>:(<part>,…)`. */
export interface Urn {
  type: string;
  /** What a key in parentheses holds, or the whole id as the only part. */
  parts: string[];
}

/** Longest urn, UTF-16 units; DataHub takes 512. */
export const maxUrn = 1_000;

const beginning = /^urn:li:([A-Za-z][A-Za-z0-9]{0,99}):/;

/** The parts of a urn; undefined for an invalid text. */
export function parseUrn(urn: string): Urn | undefined {
  if (urn.length > maxUrn) return undefined;
  const found = beginning.exec(urn);
  if (!found) return undefined;
  const id = urn.slice(found[0].length);
  if (id === "") return undefined;
  const isTuple = id.startsWith("(") && id.endsWith(")");
  return { type: found[1]!, parts: isTuple ? splitTuple(id.slice(1, -1)) : [decoded(id)] };
}

/** Parts between commas that stand in no parentheses of their own. */
function splitTuple(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character === "(") depth++;
    else if (character === ")") depth--;
    if (at === text.length || (character === "," && depth === 0)) {
      parts.push(decoded(text.slice(from, at)));
      from = at + 1;
    }
  }
  return parts;
}

/** Commas and parentheses within a part are percent-encoded, and nothing else. */
function decoded(part: string): string {
  return part.replace(/%(2C|28|29)/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

/** A dataset as its urn names it. */
export interface DatasetUrn {
  platform: string;
  name: string;
  /** `PROD`, `DEV`, … */
  env: string;
}

const platformPrefix = "urn:li:dataPlatform:";

/** The name of a platform, by its urn or by itself. */
export function platformOf(text: string): string {
  return text.startsWith(platformPrefix) ? text.slice(platformPrefix.length) : text;
}

/** The dataset of a urn; undefined for another urn. */
export function datasetOf(urn: string): DatasetUrn | undefined {
  const parsed = parseUrn(urn);
  if (parsed?.type !== "dataset" || parsed.parts.length !== 3) return undefined;
  const [platform, name, env] = parsed.parts as [string, string, string];
  if (name === "") return undefined;
  return { platform: platformOf(platform), name, env: env.toUpperCase() };
}

/** Dataset and field path of the urn of a field; undefined for another urn. */
export function fieldOf(urn: string): { dataset: string; path: string } | undefined {
  const prefix = "urn:li:schemaField:(";
  if (urn.length > 2 * maxUrn || !urn.startsWith(prefix) || !urn.endsWith(")")) return undefined;
  const [dataset, ...path] = splitRaw(urn.slice(prefix.length, -1));
  if (dataset === undefined || path.length === 0) return undefined;
  return { dataset, path: decoded(path.join(",")) };
}

/** The urn at the beginning, as it was written, and the rest. */
function splitRaw(text: string): string[] {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "," && depth === 0) return [text.slice(0, at), text.slice(at + 1)];
  }
  return [text];
}
