import { own } from "#kit/own.ts";
import { objectOf, type RawObject } from "./values.ts";
import type { PatchStep } from "./model.ts";

/** What stands between the members of a nested key. */
const nested = "\u241f";

/** By which members elements of arrays are found, where a patch does not give them. */
const usualKeys: Record<string, string[]> = {
  tags: ["tag"],
  terms: ["urn"],
  owners: ["owner", "type"],
  upstreams: ["dataset"],
  inputDatasetEdges: ["destinationUrn"],
  outputDatasetEdges: ["destinationUrn"],
  inputDatajobEdges: ["destinationUrn"],
  datasetEdges: ["destinationUrn"],
  chartEdges: ["destinationUrn"],
  inputEdges: ["destinationUrn"],
  editableSchemaFieldInfo: ["fieldPath"],
  properties: ["propertyUrn"],
};

/** Arrays of plain texts, which are their own keys. */
const texts: ReadonlySet<string> = new Set([
  "inputDatasets",
  "outputDatasets",
  "inputDatajobs",
  "inputDatasetFields",
  "outputDatasetFields",
  "charts",
  "datasets",
]);

/** Members that a step must not reach: they are those of every object. */
const forbidden: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** `value` after the steps of patches, in their order. Steps that do not fit it are left out. */
export function patched(value: unknown, steps: readonly PatchStep[]): RawObject {
  const root = structuredClone(objectOf(value) ?? {});
  for (const step of steps) {
    if (step.path.some((part) => forbidden.has(part))) continue;
    apply(root, step.path, step);
  }
  return root;
}

function apply(target: RawObject, path: string[], step: PatchStep): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) return setMember(target, name, step);
  if (name === "fineGrainedLineages" && rest.length === 4) return applyColumns(target, rest, step);
  const keys = step.keys ?? own(usualKeys, name);
  if (texts.has(name)) return applyText(target, name, rest[0]!, step);
  if (keys) return applyElement(target, name, { keys, rest }, step);
  const member = objectOf(own(target, name));
  if (member) apply(member, rest, step);
  else if (step.op === "add") {
    const made: RawObject = {};
    assign(target, name, made);
    apply(made, rest, step);
  }
}

function setMember(target: RawObject, name: string, { op, value }: PatchStep): void {
  if (op === "remove") Reflect.deleteProperty(target, name);
  else assign(target, name, structuredClone(value));
}

/** Sets a member of that very name, whatever it means on other objects. */
function assign(target: RawObject, name: string, value: unknown): void {
  const own = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(target, name, own);
}

function listOf(target: RawObject, name: string): unknown[] {
  const list = own(target, name);
  if (Array.isArray(list)) return list;
  const made: unknown[] = [];
  assign(target, name, made);
  return made;
}

function applyText(target: RawObject, name: string, text: string, { op }: PatchStep): void {
  const without = listOf(target, name).filter((one) => one !== text);
  assign(target, name, op === "remove" ? without : [...without, text]);
}

interface Selector {
  keys: string[];
  rest: string[];
}

/** A step on elements of an array; what follows their keys is a step within the first of them. */
function applyElement(
  target: RawObject,
  name: string,
  { keys, rest }: Selector,
  step: PatchStep,
): void {
  const values = rest.slice(0, keys.length);
  const within = rest.slice(keys.length);
  const list = listOf(target, name);
  const isMeant = (one: unknown) =>
    values.every((value, at) => memberText(one, keys[at]!) === value);
  if (within.length > 0) {
    let element = objectOf(list.find(isMeant));
    if (!element) {
      if (step.op === "remove") return;
      element = Object.fromEntries(values.map((value, at) => [keys[at]!, value]));
      list.push(element);
    }
    return apply(element, within, { ...step, keys: undefined });
  }
  const others = list.filter((one) => !isMeant(one));
  assign(target, name, step.op === "remove" ? others : [...others, structuredClone(step.value)]);
}

/** The text of a member, that of a nested one with the names above it; empty for none. */
function memberText(element: unknown, key: string): string {
  let value: unknown = element;
  for (const name of key.split(nested)) {
    const object = objectOf(value);
    value = object && own(object, name);
  }
  return typeof value === "string" ? value : "";
}

const none = "NONE";

/** A step on one column edge: how it is made, to which column, by which query, from which column. */
function applyColumns(target: RawObject, path: string[], { op, value }: PatchStep): void {
  const [how, to, query, from] = path as [string, string, string, string];
  const list = listOf(target, "fineGrainedLineages");
  const found = list.map(objectOf).find((one) =>
    one && textOr(one.transformOperation) === how && textOr(one.query) === query &&
    Array.isArray(one.downstreams) && one.downstreams.length === 1 && one.downstreams[0] === to
  );
  if (found) {
    const others = Array.isArray(found.upstreams)
      ? found.upstreams.filter((one) => one !== from)
      : [];
    found.upstreams = op === "remove" ? others : [...others, from];
  } else if (op === "add") {
    list.push({
      ...objectOf(value),
      upstreamType: "FIELD_SET",
      downstreamType: "FIELD",
      upstreams: [from],
      downstreams: [to],
      ...(how === none ? {} : { transformOperation: how }),
      ...(query === none ? {} : { query }),
    });
  }
}

const textOr = (value: unknown) => typeof value === "string" ? value : none;
