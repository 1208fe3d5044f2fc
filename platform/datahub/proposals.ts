import { parseText } from "#contract/openlineage/json.ts";
import { sha256 } from "#kit/canonical.ts";
import { AppError, badRequest, messageOf } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import { fieldOf, maxUrn, parseUrn } from "#platform/naming/datahub/urn.ts";
import { aspectOfClass, timeseriesAspects } from "./aspects.ts";
import { integerOf, objectOf, objectsOf, type RawObject, textOf, textsOf } from "./values.ts";

/** One step of a patch, as DataHub's clients write it, its path divided. */
export interface PatchStep {
  op: "add" | "remove";
  path: string[];
  /** Names of the members by which elements of an array are found, where the patch gives them. */
  keys?: string[];
  value?: unknown;
}

/** What a proposal does to an aspect. */
export type Change =
  /** JSON text of the whole aspect; with `create` only where there is none. */
  | { kind: "set"; value: string; create: boolean }
  | { kind: "patch"; steps: PatchStep[] }
  | { kind: "delete" }
  /** One entry of an aspect that is a list of what happened. */
  | { kind: "entry"; id: string; time: number; value: string };

/** A change of one aspect of one entity, as it was accepted. */
export interface Proposal {
  urn: string;
  entityType: string;
  aspect: string;
  /** When its source observed it, in milliseconds since the epoch. */
  at: number;
  change: Change;
  /** Urns of what it names. */
  references: string[];
}

/** A proposal that was rejected. */
export interface Rejection {
  urn: string;
  aspect: string;
  reason: string;
}

/** The deletion of an entity with all of its aspects. */
export interface Deletion {
  urn: string;
  at: number;
}

/** Milliseconds that what was observed may be ahead of when it was received. */
export const aheadMs = 5 * 60 * 1_000;
/** Largest value of one aspect, UTF-16 units. */
export const maxAspect = 5_000_000;
/** Longest name of an aspect, UTF-16 units. */
const maxAspectName = 200;
/** Maximum number of steps of one patch, and of parts of a path. */
export const maxPatchSteps = 2_000;
const maxPathParts = 20;

/** What a body asks for, each proposal separately. */
export interface ReadProposals {
  accepted: Proposal[];
  deletions: Deletion[];
  rejected: Rejection[];
}

/** Reads proposals as `ingestProposal` and `ingestProposalBatch` take them; a wrong one costs itself only. */
export function readProposals(given: readonly unknown[], receivedAt: number): ReadProposals {
  const read: ReadProposals = { accepted: [], deletions: [], rejected: [] };
  for (const one of given) {
    const proposal = objectOf(one) ?? {};
    try {
      const made = proposalOf(proposal, receivedAt);
      if ("aspect" in made) read.accepted.push(made);
      else read.deletions.push(made);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      read.rejected.push({
        urn: shown(proposal.entityUrn),
        aspect: shown(proposal.aspectName),
        reason: messageOf(error),
      });
    }
  }
  return read;
}

const maxShown = 300;
const shown = (value: unknown) => (textOf(value) ?? "").slice(0, maxShown).toWellFormed();

function proposalOf(given: RawObject, receivedAt: number): Proposal | Deletion {
  const urn = textOf(given.entityUrn);
  if (urn === undefined) throw badRequest("entityUrn is required");
  const at = observedAt(given.systemMetadata, receivedAt);
  const changeType = textOf(given.changeType) ?? "UPSERT";
  const aspect = textOf(given.aspectName);
  if (changeType === "DELETE" && (aspect === undefined || aspect.endsWith("Key"))) {
    return deletionOf(urn, at);
  }
  if (aspect === undefined) throw badRequest("aspectName is required");
  if (changeType === "DELETE") return proposal(urn, aspect, at, { kind: "delete" });
  const value = objectOf(given.aspect);
  const text = value && (textOf(value.value) ?? jsonOf(value.json));
  if (text === undefined) throw badRequest("aspect.value is required, as a JSON text");
  const read = parsedValue(text);
  return proposal(urn, aspect, at, changeOf(changeType, aspect, read), read);
}

/** As the file sink of DataHub writes a value. */
function jsonOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : undefined;
}

/** The deletion of a whole entity. Throws a 400 `AppError` for a text that is no urn. */
export function deletionOf(urn: string, at: number): Deletion {
  requireUrn(urn);
  return { urn, at };
}

/** When something was observed: by its system metadata, else when it was received; not far ahead of that. */
function observedAt(systemMetadata: unknown, receivedAt: number): number {
  const observed = integerOf(objectOf(systemMetadata)?.lastObserved);
  if (observed === undefined || observed <= 0) return receivedAt;
  return Math.min(observed, receivedAt + aheadMs);
}

/** A proposal of an aspect; `value` is what its change was read from. Throws a 400 `AppError`. */
function proposal(
  urn: string,
  aspect: string,
  at: number,
  change: Change,
  value?: RawObject,
): Proposal {
  const entityType = requireUrn(urn);
  if (aspect.length > maxAspectName || !/^\w+$/.test(aspect)) {
    throw badRequest(`aspectName must be letters and digits, at most ${maxAspectName}`);
  }
  const references = change.kind === "patch" ? [] : referencesOf(value);
  return { urn, entityType, aspect, at, change, references };
}

function requireUrn(urn: string): string {
  const parsed = parseUrn(urn);
  if (!parsed || !urn.isWellFormed() || urn.includes("\0")) {
    throw badRequest("entityUrn must be urn:li:<type>:<id>, at most 1000 long");
  }
  return parsed.type;
}

function changeOf(changeType: string, aspect: string, value: RawObject): Change {
  if (changeType === "PATCH") return { kind: "patch", steps: stepsOf(value) };
  if (!["UPSERT", "CREATE", "CREATE_ENTITY", "UPDATE", "RESTATE"].includes(changeType)) {
    throw badRequest(`changeType must be UPSERT, CREATE, UPDATE, RESTATE, PATCH or DELETE`);
  }
  return valueChange(aspect, value, changeType.startsWith("CREATE"));
}

/** The change to a whole aspect, or the entry of one that is a list of what happened. */
function valueChange(aspect: string, value: RawObject, create = false): Change {
  const text = storable(value);
  if (!timeseriesAspects.has(aspect)) return { kind: "set", value: text, create };
  const time = integerOf(value.timestampMillis);
  if (time === undefined || time < 0) throw badRequest("timestampMillis is required");
  return { kind: "entry", id: sha256(text), time, value: text };
}

/** JSON that PostgreSQL can store: without NUL and halves of surrogate pairs. */
export function storable(value: unknown): string {
  const text = JSON.stringify(value);
  // `JSON.stringify` escapes halves of pairs.
  if (/\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(text)) {
    return text.replace(/\\u(?:0000|d[89a-f][0-9a-f]{2})/g, "\\ufffd");
  }
  return text;
}

function parsedValue(text: string): RawObject {
  if (text.length > maxAspect) {
    throw badRequest(`aspect.value must be at most ${maxAspect} long (was ${text.length})`);
  }
  const parsed = parseText(text);
  const value = Array.isArray(parsed) ? { patch: parsed } : objectOf(parsed);
  if (!value) throw badRequest("aspect.value must be a JSON object");
  return value;
}

function stepsOf(value: RawObject): PatchStep[] {
  const given = objectsOf(value.patch);
  const keys = objectOf(value.arrayPrimaryKeys) ?? {};
  if (given.length === 0 && !Array.isArray(value.patch)) {
    throw badRequest("aspect.value of a PATCH must be a JSON patch");
  }
  if (given.length > maxPatchSteps) {
    throw badRequest(`a PATCH must have at most ${maxPatchSteps} steps`);
  }
  return given.map((one) => stepOf(one, keys));
}

function stepOf(given: RawObject, allKeys: RawObject): PatchStep {
  const op = textOf(given.op);
  if (op !== "add" && op !== "replace" && op !== "remove") {
    throw badRequest("op of a PATCH must be add, replace or remove");
  }
  const [first, ...path] = (textOf(given.path) ?? "").split("/").map(unquoted);
  if (first !== "" || path.length === 0 || path.length > maxPathParts) {
    throw badRequest("path of a PATCH must begin with / and name a member");
  }
  const keys = textsOf(own(allKeys, path[0]!));
  return {
    op: op === "remove" ? "remove" : "add",
    path,
    ...(keys.length > 0 ? { keys } : {}),
    ...(op === "remove" ? {} : { value: given.value }),
  };
}

const unquoted = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/**
 * Reads an entity as older clients post it: `{value: {<class of the snapshot>: {urn, aspects: [{<class>: {…}}]}}}`.
 * A wrong aspect costs itself only. Throws a 400 `AppError` for what is no snapshot.
 */
export function readSnapshot(
  entity: unknown,
  systemMetadata: unknown,
  receivedAt: number,
): ReadProposals {
  const [snapshot] = Object.values(objectOf(objectOf(entity)?.value) ?? {});
  const urn = textOf(objectOf(snapshot)?.urn);
  if (urn === undefined) throw badRequest("entity.value must hold a snapshot with its urn");
  const at = observedAt(systemMetadata, receivedAt);
  const read: ReadProposals = { accepted: [], deletions: [], rejected: [] };
  for (const given of objectsOf(objectOf(snapshot)!.aspects)) {
    const [entry] = Object.entries(given);
    const aspect = aspectOfClass(entry?.[0] ?? "");
    try {
      const value = objectOf(entry?.[1]);
      if (!value) throw badRequest("an aspect must be an object under the name of its class");
      const change = valueChange(aspect, value);
      read.accepted.push(proposal(urn, aspect, at, change, value));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      read.rejected.push({ urn, aspect, reason: messageOf(error) });
    }
  }
  return read;
}

/** Maximum number of urns that one aspect may name. */
export const maxReferences = 20_000;

const referencedTypes = [
  ...["dataset", "tag", "glossaryTerm", "corpuser", "corpGroup", "domain", "container"],
  ...["dataFlow", "dataJob", "chart", "dashboard", "mlFeature", "mlPrimaryKey", "mlModelGroup"],
  ...["ownershipType", "dataProcessInstance", "dataHubIngestionSource", "query", "glossaryNode"],
];
const referencePrefixes = referencedTypes.map((type) => `urn:li:${type}:`);

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
  else if (text.length <= maxUrn && referencePrefixes.some((prefix) => text.startsWith(prefix))) {
    found.add(text);
  }
}
