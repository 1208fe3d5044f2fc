import { Buffer } from "node:buffer";
import { maxRunIdBytes } from "#contract/openlineage/limits.ts";
import { own } from "#kit/own.ts";
import { addDataset } from "./dataset-events.ts";
import { type Delta, emptyDelta, ioKey, joinIo, joinJob, joinRun, separator } from "./states.ts";
import { withExplicitLineage } from "./explicit.ts";
import {
  dated,
  facetsOf,
  givenValue,
  ioFacets,
  jobFacets,
  objectOf,
  objectsOf,
  runFacets,
  textOf,
} from "./facets.ts";
import { joinInto } from "./join.ts";
import {
  type DeclaredDataset,
  type InputDataset,
  type InputEvent,
  type JobState,
  type Keys,
  maxSide,
  type Name,
  nameKey,
  nameOf,
  namesOf,
  type RunState,
  type Side,
  sides,
} from "./model.ts";

/** The name that Spark gives to a job before it knows its own. */
export const unnamedJob = "unknown";

// expression-ok -- fixed lengths
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a run id is unique by itself. */
export function isUuid(runId: string): boolean {
  return uuid.test(runId);
}

/** The key of a run: its id if that is unique by itself, else with the name of its job. */
function runKey(runId: string, job: string): string {
  return uuid.test(runId) ? runId.toLowerCase() : [job, runId].join(separator);
}

/** What one event says. */
export function deltaOf(given: InputEvent, keys: Keys): Delta {
  const event = withExplicitLineage(given);
  const delta = emptyDelta();
  if (event.dataset) {
    addDataset(delta, keys, event.dataset, { at: event.at, declares: true, writes: true });
  }
  if (event.job && event.run) {
    addRunEvent(delta, keys, withColumnInputs(event), event.job, event.run);
  }
  if (event.job && !event.run) addJobEvent(delta, keys, event, event.job);
  return delta;
}

function jobOf({ namespace, name }: Name): JobState {
  return {
    name: { namespace, name },
    facets: {},
    inputs: null,
    outputs: null,
    parent: null,
    seen: null,
    named: null,
  };
}

function addJobEvent(delta: Delta, keys: Keys, event: InputEvent, job: Name): void {
  const { at } = event;
  const state = jobOf(job);
  state.facets = facetsOf(jobFacets, at, event.job?.facets);
  state.seen = at;
  for (const side of sides) {
    const given = event[side]?.slice(0, maxSide);
    if (!given) continue;
    state[side] = dated(given.map((dataset) => declaredOf(keys, dataset)), at);
    for (const dataset of given) {
      addDataset(delta, keys, dataset, { at, declares: side === "outputs", writes: false });
    }
  }
  joinInto(delta.jobs, keys.job(job), state, joinJob);
}

function declaredOf(keys: Keys, dataset: InputDataset): DeclaredDataset {
  const { namespace, name } = dataset;
  const columnLineage = givenValue(dataset.facets, "columnLineage") ?? null;
  return { namespace, name, key: keys.dataset({ namespace, name }), columnLineage };
}

function addRunEvent(
  delta: Delta,
  keys: Keys,
  event: InputEvent,
  job: NonNullable<InputEvent["job"]>,
  given: NonNullable<InputEvent["run"]>,
): void {
  const { at } = event;
  const jobKey = keys.job(job);
  const state = jobOf(job);
  state.facets = facetsOf(jobFacets, at, job.facets);
  state.seen = at;
  const key = runKey(given.runId, jobKey);
  const run = runOf(event, given, { jobKey, named: job.name !== unnamedJob });
  const parent = parentOf(event);
  if (parent && job.name !== unnamedJob) {
    const parentKey = keys.job(parent.job);
    state.parent = dated({ ...parent.job, key: parentKey }, at);
    joinInto(delta.jobs, parentKey, { ...jobOf(parent.job), named: at }, joinJob);
    if (parent.runId !== undefined) {
      const parentRun = runKey(parent.runId, parentKey);
      if (parentRun !== key) {
        run.parent = dated(parentRun, at);
        const mentioned = newRun(parent.runId, at);
        mentioned.mentioned = dated(parentKey, at);
        joinInto(delta.runs, parentRun, mentioned, joinRun);
      }
    }
  }
  joinInto(delta.jobs, jobKey, state, joinJob);
  joinInto(delta.runs, key, run, joinRun);
  for (const side of sides) addIo(delta, keys, event, { run: key, side });
}

interface Parent {
  job: Name;
  /** Undefined when the facet gives none. */
  runId: string | undefined;
}

/** The job and the run that the facet `parent` names; those of the root only if the parent is not named. */
function parentOf({ run }: InputEvent): Parent | null {
  const facet = givenValue(run?.facets, "parent");
  if (!facet) return null;
  for (const given of [facet, objectOf(facet.root)]) {
    const job = nameOf(objectOf(given?.job));
    if (!job || job.name === unnamedJob) continue;
    const runId = textOf(objectOf(given?.run), "runId");
    const isUsable = runId !== undefined && runId !== "" &&
      Buffer.byteLength(runId) <= maxRunIdBytes;
    return { job, runId: isUsable ? runId : undefined };
  }
  return null;
}

/** A run of which an event says no more than its id. */
function newRun(runId: string, at: number): RunState {
  return {
    // UUIDs are compared in lower case.
    runId: uuid.test(runId) ? runId.toLowerCase() : runId,
    job: null,
    unnamed: null,
    mentioned: null,
    parent: null,
    facets: {},
    started: null,
    first: at,
    last: at,
    seen: {},
    snapshot: null,
    inputs: null,
    outputs: null,
    events: [],
  };
}

function runOf(
  event: InputEvent,
  { runId, facets }: NonNullable<InputEvent["run"]>,
  { jobKey, named }: { jobKey: string; named: boolean },
): RunState {
  const { at, type = "OTHER" } = event;
  const run = newRun(runId, at);
  run[named ? "job" : "unnamed"] = dated(jobKey, at);
  run.facets = facetsOf(runFacets, at, facets);
  if (type === "START") run.started = at;
  if (type !== "OTHER") run.seen = { [type]: at };
  if (isSnapshot(event)) run.snapshot = at;
  if (event.inputs?.length) run.inputs = at;
  if (event.outputs?.length) run.outputs = at;
  if (event.id !== undefined) run.events = [event.id];
  return run;
}

function isSnapshot({ job }: InputEvent): boolean {
  const jobType = givenValue(job?.facets, "jobType") ?? undefined;
  const pattern = objectOf(jobType?.emissionPattern);
  return textOf(pattern, "eventContentMode")?.toUpperCase() === "COMPLETE_SNAPSHOT";
}

/** Whether what a run event says of its outputs holds by itself: it is complete, or never will be. */
function isWhole({ type, job }: InputEvent): boolean {
  if (type === "COMPLETE") return true;
  const jobType = givenValue(job?.facets, "jobType") ?? undefined;
  return isStreaming(jobType);
}

/** Whether the facet `jobType` marks a job that does not end. */
export function isStreaming(jobType: Record<string, unknown> | undefined): boolean {
  const processing = textOf(jobType, "processingType")?.toUpperCase();
  const lifecycle = textOf(jobType, "lifecycleType")?.toUpperCase();
  return endless.has(processing ?? "") || endless.has(lifecycle ?? "");
}

/** Processing and lifecycle types of jobs that do not end. */
const endless = new Set(["STREAMING", "SERVICE", "UNBOUNDED", "CONTINUOUS"]);

function addIo(
  delta: Delta,
  keys: Keys,
  event: InputEvent,
  { run, side }: { run: string; side: Side },
): void {
  const { at } = event;
  const writes = side === "outputs";
  const declares = writes && isWhole(event);
  for (const dataset of event[side]?.slice(0, maxSide) ?? []) {
    const { namespace, name } = dataset;
    const key = addDataset(delta, keys, dataset, { at, declares, writes });
    const given = [dataset.facets, dataset.inputFacets, dataset.outputFacets];
    const facets = facetsOf(ioFacets, at, ...given);
    const row = { run, side, key, name: { namespace, name }, t: at, facets };
    joinInto(delta.io, ioKey(row), row, joinIo);
  }
}

/**
 * An event of a run with all its inputs: also those that only the facet `columnLineage` of its outputs names, which some
 * producers leave out of the list (dbt does so with seeds). Outputs of the event are not added.
 */
function withColumnInputs(event: InputEvent): InputEvent {
  const inputs = event.inputs?.slice(0, maxSide) ?? [];
  const known = new Set([...inputs, ...event.outputs ?? []].map(nameKey));
  for (const source of event.outputs?.slice(0, maxSide).flatMap(sourcesOf) ?? []) {
    if (inputs.length >= maxSide) break;
    if (known.has(nameKey(source))) continue;
    known.add(nameKey(source));
    inputs.push(source);
  }
  return inputs.length === (event.inputs?.length ?? 0) ? event : { ...event, inputs };
}

/** What the columns of an output were made from, and what filtered its rows. */
function sourcesOf(output: InputDataset): Name[] {
  const facet = objectOf(own(output.facets ?? {}, "columnLineage"));
  if (!facet || facet._deleted === true) return [];
  const fields = objectOf(facet.fields);
  const given = Object.values(fields ?? {}).flatMap((field) => {
    const entry = objectOf(field);
    return objectsOf(entry, "inputFields");
  });
  return namesOf([...given, ...objectsOf(facet, "dataset")]);
}
