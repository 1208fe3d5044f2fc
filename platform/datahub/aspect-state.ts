import { own } from "#kit/own.ts";
import type { Change, PatchStep } from "./proposals.ts";
import { objectOf, type RawObject } from "./values.ts";

/** A step of a patch, and when it was observed. */
interface StoredStep extends PatchStep {
  at: number;
}

/** An aspect of an entity as it is stored. */
export interface AspectState {
  /** When its value was observed; null: only patches are known of it. */
  at: number | null;
  /** JSON text; null: it was deleted, or only patches are known of it. */
  value: string | null;
  /** Newer than the value, in the order in which they apply. */
  steps: StoredStep[];
}

/** Maximum number of steps of patches beyond a value; more of them become part of the value. */
export const maxSteps = 2_000;

export const noState: AspectState = { at: null, value: null, steps: [] };

/**
 * The state after a change that was observed at `at`. The newest value wins, and each step of a patch is newest by its
 * path: so neither the order of changes nor their repetition matters, unless two were observed at one time, of which
 * the one that comes later wins.
 */
export function joined(
  state: AspectState,
  change: Exclude<Change, { kind: "entry" }>,
  at: number,
): AspectState {
  if (change.kind === "patch") {
    return withSteps(state, change.steps.map((step) => ({ ...step, at })));
  }
  const value = change.kind === "delete" ? null : change.value;
  const exists = state.value !== null || state.steps.length > 0;
  if (change.kind === "set" && change.create && exists) return state;
  if (state.at !== null && state.at > at) return state;
  return { at, value, steps: state.steps.filter((step) => step.at >= at) };
}

function withSteps(state: AspectState, added: StoredStep[]): AspectState {
  const steps = new Map(state.steps.map((step) => [keyOf(step), step]));
  for (const step of added) {
    const key = keyOf(step);
    const isOld = state.at !== null && step.at < state.at;
    if (!isOld && (steps.get(key)?.at ?? -Infinity) <= step.at) steps.set(key, step);
  }
  const ordered = [...steps].sort(byApplication).map(([, step]) => step);
  const next = { ...state, steps: ordered };
  return ordered.length <= maxSteps ? next : folded(next);
}

function folded(state: AspectState): AspectState {
  const at = state.steps.at(-1)!.at;
  return { at, value: JSON.stringify(valueOf(state)), steps: [] };
}

function keyOf({ path, keys }: PatchStep): string {
  return JSON.stringify(keys ? [path, keys] : [path]);
}

/** The older one first; of one time the shorter path, which may hold what the longer one names. */
function byApplication([a, one]: [string, StoredStep], [b, other]: [string, StoredStep]): number {
  return one.at - other.at || one.path.length - other.path.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** The aspect itself; undefined where there is none. */
export function valueOf({ value, steps }: AspectState): unknown {
  if (value === null && steps.length === 0) return undefined;
  const base: unknown = value === null ? {} : JSON.parse(value);
  return steps.length === 0 ? base : patched(base, steps);
}

/** What stands between the members of a nested key. */
const nested = "\u241f";

/** By which members elements of arrays are found, where a patch does not give them. */
const usualKeys = new Map([
  ["tags", ["tag"]],
  ["terms", ["urn"]],
  ["owners", ["owner", "type"]],
  ["upstreams", ["dataset"]],
  ["editableSchemaFieldInfo", ["fieldPath"]],
  ["properties", ["propertyUrn"]],
  ...["inputDataset", "outputDataset", "inputDatajob", "dataset", "chart", "input"]
    .map((of): [string, string[]] => [`${of}Edges`, ["destinationUrn"]]),
]);

/** Arrays of plain texts, which are their own keys. */
const texts: ReadonlySet<string> = new Set(
  "inputDatasets outputDatasets inputDatajobs inputDatasetFields outputDatasetFields charts datasets"
    .split(" "),
);

/** Members that a step must not reach: they are those of every object. */
const forbidden: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** `value` after the steps of patches, in their order. Steps that do not fit it are left out. */
function patched(value: unknown, steps: readonly PatchStep[]): RawObject {
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
  const keys = step.keys ?? usualKeys.get(name);
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
