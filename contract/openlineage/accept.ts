import type { z } from "@hono/zod-openapi";
import { fieldPath, utcText } from "#contract/ingestion/values.ts";
import { isObject, own } from "#kit/own.ts";
import {
  type Dataset,
  type EventType,
  eventTypes,
  type Job,
  type OpenLineageEvent,
  type Run,
} from "./event.ts";
import { jobFacets } from "./facets/job.ts";
import { runFacets } from "./facets/run.ts";
import { Named } from "./facets/shapes.ts";
import { type IntakeWarning, readLeniently, Warnings } from "./lenient.ts";
import {
  datasetFacetsOf,
  facetsOf,
  isGiven,
  type Members,
  type ReadContext,
  sidesOf,
  under,
} from "./read-context.ts";
import { RunId, Uri } from "./texts.ts";

export type { DropReason, IntakeWarning } from "./lenient.ts";

/** Why nothing of an event can be taken. */
export interface EventRefusal {
  /** Empty where it is the event as a whole. */
  path: string;
  /** What is wrong there, such as `missing`; an answer writes `run.runId: missing`. */
  reason: string;
  /** Set when it was no JSON: the reason quotes it then. */
  unreadable?: true;
}

/** The path and the problem there, as shown in a response. */
export function refusalText({ path, reason }: EventRefusal): string {
  return path === "" ? reason : `${path}: ${reason}`;
}

/** An event that was taken, and what of it was left out. */
export interface AcceptedEvent {
  event: OpenLineageEvent;
  /** The first `maxWarnings` parts that were left out or cut. */
  warnings: IntakeWarning[];
  /** How many there were in all, by reason. */
  dropped: ReadonlyMap<IntakeWarning["reason"], number>;
  /** Facets that the catalogue has no use for; they are left out without a warning. */
  unused: number;
}

type AcceptResult = AcceptedEvent | { refused: EventRefusal };

/** Aborts reading an event that cannot be used at all. */
class Refusal extends Error {
  constructor(readonly refused: EventRefusal) {
    super(refused.reason);
  }
}

/**
 * Takes what is usable of an OpenLineage event (parsed JSON); its kind follows from its structure. Pure,
 * and idempotent: an accepted event that is written by `jsonOf` is accepted as the same. `value` is not
 * changed.
 */
export function acceptEvent(value: unknown): AcceptResult {
  const reading: ReadContext = { path: [], warnings: new Warnings(), unused: 0 };
  try {
    const event = eventOf(value, reading);
    const { warnings: { reported, counts }, unused } = reading;
    return { event, warnings: reported, dropped: counts, unused };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.refused };
    throw error;
  }
}

/** Whether nothing of the event was taken. */
export function isRefused(result: AcceptResult): result is { refused: EventRefusal } {
  return "refused" in result;
}

function eventOf(value: unknown, reading: ReadContext): OpenLineageEvent {
  if (!isObject(value)) throw refusal("", "the event must be an object");
  const [run, job, dataset] = [own(value, "run"), own(value, "job"), own(value, "dataset")];
  if (isGiven(run)) return { kind: "run", ...runEventOf(value, run, job, reading) };
  if (isGiven(job)) {
    const common = commonOf(value, reading);
    const sides = sidesOf(value, reading);
    return { kind: "job", ...common, job: jobOf(job, reading), ...sides };
  }
  if (isGiven(dataset)) {
    return { kind: "dataset", ...commonOf(value, reading), dataset: staticOf(dataset, reading) };
  }
  throw refusal("", "the event has neither a run, a job nor a dataset");
}

function runEventOf(value: Members, run: unknown, job: unknown, reading: ReadContext) {
  if (!isGiven(job)) throw refusal("job", missing);
  return {
    ...commonOf(value, reading),
    eventType: typeOf(own(value, "eventType")),
    run: runOf(run, reading),
    job: jobOf(job, reading),
    ...sidesOf(value, reading),
  };
}

const missing = "missing";
const refusal = (path: string, reason: string) => new Refusal({ path, reason });

/** A producer that is wrong costs nothing but itself. */
function commonOf(value: Members, reading: ReadContext) {
  const given = own(value, "producer");
  const producer = isGiven(given)
    ? under(reading, "producer", () => readLeniently(Uri, given, reading))
    : undefined;
  const eventTime = timeOf(own(value, "eventTime"));
  return { eventTime, ...(producer === undefined ? {} : { producer }) };
}

function timeOf(eventTime: unknown): number {
  if (!isGiven(eventTime)) throw refusal("eventTime", missing);
  const at = instantOf(eventTime);
  if (at !== undefined) return at;
  throw refusal("eventTime", "must be an RFC 3339 date-time, such as 2024-01-31T12:00:00Z");
}

function typeOf(given: unknown): EventType {
  const word = typeof given === "string" ? given.trim().toUpperCase() : "";
  return eventTypes.find((type) => type === word) ?? "OTHER";
}

function runOf(value: unknown, reading: ReadContext): Run {
  const run = objectAt(value, "run");
  const runId = required(run, "run", "runId", RunId);
  const facets = under(reading, "run", () => facetsOf(run, "facets", runFacets, reading));
  return { runId, facets };
}

function jobOf(value: unknown, reading: ReadContext): Job {
  const job = objectAt(value, "job");
  const facets = under(reading, "job", () => facetsOf(job, "facets", jobFacets, reading));
  return { ...namedOf(job, "job"), facets };
}

function staticOf(value: unknown, reading: ReadContext): Dataset {
  const dataset = objectAt(value, "dataset");
  const facets = under(reading, "dataset", () => datasetFacetsOf(dataset, reading));
  return { ...namedOf(dataset, "dataset"), facets };
}

function namedOf(holder: Members, path: string) {
  const { namespace, name } = Named.shape;
  return {
    namespace: required(holder, path, "namespace", namespace),
    name: required(holder, path, "name", name),
  };
}

function objectAt(value: unknown, path: string): Members {
  if (isObject(value)) return value;
  throw refusal(path, "must be an object");
}

/** The member without which there is no event. */
function required<S extends z.ZodType>(
  holder: Members,
  path: string,
  member: string,
  schema: S,
): z.output<S> {
  const place = fieldPath([path, member]);
  const value = own(holder, member);
  if (!isGiven(value)) throw refusal(place, missing);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw refusal(place, read.error.issues[0]!.message);
}

// expression-ok -- fixed widths, one optional group of digits
const form =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?([.,]\d{1,9})?(Z|z|[+-]\d{2}(?::?\d{2})?)?(?:\[[^\]]{1,64}\])?$/;

/**
 * Milliseconds since the epoch of an RFC 3339 time, also as Java and Python write it: without seconds,
 * without offset (UTC then), with a name of the zone. Undefined for anything else, and outside the
 * years 1 to 9999.
 */
function instantOf(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 120) return undefined;
  const found = form.exec(text.trim());
  if (!found) return undefined;
  const [, date, minutes, seconds = ":00", fraction = ".0", zone = "Z"] = found;
  const parts = `${date}T${minutes}${seconds}.${fraction.slice(1, 4).padEnd(3, "0")}`;
  const at = Date.parse(`${parts}${offsetOf(zone)}`);
  return utcText(at) === null ? undefined : at;
}

/** `+02`, `+0200` and `+02:00` as the last. */
function offsetOf(zone: string): string {
  if (zone === "Z" || zone === "z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
