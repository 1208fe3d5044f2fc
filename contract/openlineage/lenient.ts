import type { z } from "@hono/zod-openapi";
import { fieldPath } from "#contract/ingestion/values.ts";
import { isObject, own } from "#kit/own.ts";
import { maxDepth, maxTextBytes, maxWarnings } from "./limits.ts";

/** Why a part was dropped (`cut`: shortened), as named in metrics and intake warnings. */
const dropReasons = ["missing", "invalid", "too_many", "too_deep", "cut"] as const;
export type DropReason = (typeof dropReasons)[number];

/** A part that was left out, or cut, while the rest was taken. */
export interface IntakeWarning {
  /** As error bodies write it: `outputs[0].facets.schema.fields[3].name`. */
  path: string;
  /** The path down to the facet, without indexes: their number is bounded, whatever is sent. */
  place: string;
  reason: DropReason;
  message: string;
}

/** The parts that were left out of one event. */
export class Warnings {
  /** The first `maxWarnings`. */
  readonly reported: IntakeWarning[] = [];
  /** How many there were, by reason. */
  readonly counts = new Map<DropReason, number>();

  add(path: readonly PropertyKey[], reason: DropReason, message: string): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    if (this.reported.length >= maxWarnings) return;
    this.reported.push({ path: fieldPath(path), place: placeOf(path), reason, message });
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  const facets = path.findIndex((step) => /^(?:input|output)?facets$/i.test(String(step)));
  const shownPath = facets < 0 ? path.slice(0, 3) : path.slice(0, facets + 2);
  return shownPath.map((step, at) =>
    typeof step === "number" ? "[]" : `${at > 0 ? "." : ""}${String(step)}`
  ).join("");
}

/** Where a value stands: its path, and what collects warnings. `path` is valid only during the call. */
export interface ReadPosition {
  path: (string | number)[];
  warnings: Warnings;
}

type Reader = (value: unknown, place: ReadPosition) => unknown;
type Def = z.core.$ZodTypeDef & Record<string, unknown>;

const readers = new WeakMap<z.core.$ZodType, Reader>();

/**
 * Reads a value by a schema of objects, lists, maps and leaves. What does not fit is left out with a
 * warning: a wrong optional member, an entry of a list or map, what is beyond a limit. Undefined,
 * with a warning, when a required member is missing or the value itself does not fit. Null counts as
 * absent; unknown members are left out silently.
 */
export function readLeniently<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: ReadPosition,
): z.output<S> | undefined {
  return readerOf(schema)(value, place) as z.output<S> | undefined;
}

function readerOf(schema: z.core.$ZodType): Reader {
  const known = readers.get(schema);
  if (known) return known;
  const made = compiled(schema);
  readers.set(schema, made);
  return made;
}

function compiled(schema: z.core.$ZodType): Reader {
  const def = schema._zod.def as Def;
  if (def.type === "optional") return readerOf(def.innerType as z.core.$ZodType);
  if (def.type === "lazy") {
    const get = def.getter as () => z.core.$ZodType;
    return (value, place) => readerOf(get())(value, place);
  }
  if (def.type === "object") return objectReader(def.shape as Record<string, z.core.$ZodType>);
  if (def.type === "array") {
    return listReader(def.element as z.core.$ZodType, maxOf(schema as z.ZodArray));
  }
  if (def.type === "record") {
    return mapReader(def.keyType as z.ZodType, def.valueType as z.ZodType, maxOf(schema));
  }
  return leafReader(schema as z.ZodType);
}

const max = new WeakMap<z.core.$ZodType, number>();

/** Declares how many entries of a list or map are taken. */
export function taking<S extends z.core.$ZodType>(count: number, schema: S): S {
  max.set(schema, count);
  return schema;
}

function maxOf(schema: z.core.$ZodType): number {
  const count = max.get(schema);
  if (count === undefined) {
    throw new Error("the schema of a list or map says not how many it takes");
  }
  return count;
}

/** Schemas may refer to themselves, so the reader of a member is made when it is first needed. */
function lazily(schema: z.core.$ZodType): () => Reader {
  let reader: Reader | undefined;
  return () => reader ??= readerOf(schema);
}

function objectReader(shape: Record<string, z.core.$ZodType>): Reader {
  const members = Object.entries(shape).map(([name, schema]) => ({
    name,
    read: lazily(schema),
    required: (schema._zod.def as Def).type !== "optional",
  }));
  return (value, place) => {
    if (!isObject(value)) return leftOut(place, "invalid", "must be an object");
    const taken: Record<string, unknown> = {};
    for (const { name, read: reader, required } of members) {
      const member = own(value, name) ?? undefined;
      const read = member === undefined ? undefined : within(place, name, reader(), member);
      // lookup-ok -- names of the schema alone
      if (read !== undefined) taken[name] = read;
      else if (required) {
        // A wrong member was reported already.
        if (member === undefined) warn(place, name, "missing", "is missing");
        return undefined;
      }
    }
    return taken;
  };
}

function listReader(element: z.core.$ZodType, count: number): Reader {
  return (value, place) => {
    if (!Array.isArray(value)) return leftOut(place, "invalid", "must be a list");
    const taken: unknown[] = [];
    for (let i = 0; i < value.length && i < count; i++) {
      const read = within(place, i, readerOf(element), value[i]);
      if (read !== undefined) taken.push(read);
    }
    if (value.length > count) tooMany(place, count);
    return taken;
  };
}

function mapReader(key: z.ZodType, element: z.core.$ZodType, count: number): Reader {
  return (value, place) => {
    if (!isObject(value)) return leftOut(place, "invalid", "must be an object");
    const taken: [string, unknown][] = [];
    const names = Object.keys(value);
    for (const name of names.slice(0, count)) {
      const read = within(place, name, (member, at) => {
        const taken = isTakenPlainly(key, name) || key.safeParse(name).success;
        if (!taken) return leftOut(at, "invalid", "is no name that is taken");
        return member === null ? undefined : readerOf(element)(member, at);
      }, own(value, name));
      if (read !== undefined) taken.push([name, read]);
    }
    if (names.length > count) tooMany(place, count);
    // Makes own members of any name, `__proto__` too.
    return Object.fromEntries(taken);
  };
}

const plainly = new WeakSet<z.core.$ZodType>();

/**
 * Declares that a schema accepts every plain text unchanged, so that it need not run: most texts are plain, and running it
 * is most of what an event costs.
 */
export function takingPlain<S extends z.core.$ZodType>(schema: S): S {
  plainly.add(schema);
  return schema;
}

/** ASCII without control characters, so short that no limit matters, and without what an address needs: `:` and `@`. */
export const plainText = /^[\t\n\r -9;-?A-~]{1,100}$/;

function isTakenPlainly(schema: z.core.$ZodType, value: unknown): boolean {
  return typeof value === "string" && plainly.has(schema) && plainText.test(value);
}

function leafReader(schema: z.ZodType): Reader {
  return (value, place) => {
    if (isTakenPlainly(schema, value)) return value;
    // Half the time of `safeParse`, which finds the words for what is wrong.
    const read = schema._zod.run({ value, issues: [] }, sync) as z.core.ParsePayload;
    if (read.issues.length > 0) {
      const { error } = schema.safeParse(value);
      return leftOut(place, "invalid", error?.issues[0]?.message ?? "is not valid");
    }
    const data = read.value;
    if (typeof data === "string" && data.length < (value as string).length && isLong(value)) {
      place.warnings.add(place.path, "cut", `was cut to ${maxTextBytes} bytes`);
    }
    return data;
  };
}

const sync = { async: false } as const;

const isLong = (value: unknown) => typeof value === "string" && value.length * 3 > maxTextBytes;

function within(place: ReadPosition, step: string | number, read: Reader, value: unknown): unknown {
  // The event itself is the first level.
  if (place.path.length + 2 > maxDepth && typeof value === "object") {
    warn(place, step, "too_deep", `is nested deeper than ${maxDepth}`);
    return undefined;
  }
  place.path.push(step);
  const taken = read(value, place);
  place.path.pop();
  return taken;
}

function warn(
  place: ReadPosition,
  step: string | number,
  reason: DropReason,
  message: string,
): void {
  place.warnings.add([...place.path, step], reason, message);
}

function leftOut(place: ReadPosition, reason: DropReason, message: string): undefined {
  place.warnings.add(place.path, reason, message);
}

function tooMany(place: ReadPosition, count: number): void {
  const message = `holds more than ${count} entries; further ones were left out`;
  place.warnings.add(place.path, "too_many", message);
}
