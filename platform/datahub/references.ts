import { fieldOf, maxUrn } from "#platform/naming/datahub/urn.ts";

/** Maximum number of urns that one aspect may name. */
export const maxReferences = 20_000;

const types = ["dataset", "tag", "glossaryTerm", "corpuser", "corpGroup", "domain", "container"]
  .concat(["dataFlow", "dataJob", "chart", "dashboard", "mlFeature", "mlPrimaryKey"])
  .concat([
    "mlModelGroup",
    "ownershipType",
    "dataProcessInstance",
    "dataHubIngestionSource",
    "query",
    "glossaryNode",
  ]);
const prefixes = types.map((type) => `urn:li:${type}:`);

/** Members that name who wrote something: not what it is about. */
const ofAuthors: ReadonlySet<string> = new Set(["actor", "auditStamp", "created", "lastModified"]);

/** The urns that an aspect names, each once; of a field that of its dataset. */
export function referencesOf(value: unknown): string[] {
  const found = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0 && found.size < maxReferences) {
    const one = open.pop();
    if (typeof one === "string") addTo(found, one);
    else if (Array.isArray(one)) { for (const each of one) open.push(each); }
    else if (typeof one === "object" && one !== null) {
      for (const [name, each] of Object.entries(one)) if (!ofAuthors.has(name)) open.push(each);
    }
  }
  return [...found];
}

function addTo(found: Set<string>, text: string): void {
  if (!text.startsWith("urn:li:") || text.length > 2 * maxUrn) return;
  if (text.includes("\0") || !text.isWellFormed()) return;
  const dataset = fieldOf(text)?.dataset;
  if (dataset !== undefined) found.add(dataset);
  else if (text.length <= maxUrn && prefixes.some((prefix) => text.startsWith(prefix))) {
    found.add(text);
  }
}
