import type { z } from "@hono/zod-openapi";
import { isObject, own } from "#kit/own.ts";
import type { Dataset, DatasetFacets, DeletedFacet, Input, Output } from "./event.ts";
import { datasetFacets, inputFacets, outputFacets, type SchemaField } from "./facets/dataset.ts";
import { isDeleted, Named } from "./facets/shapes.ts";
import { readLeniently, type ReadPosition } from "./lenient.ts";
import { maxDatasets, maxFields } from "./limits.ts";

/** What an event is read with. */
export interface ReadContext extends ReadPosition {
  /** Facets that nothing here uses. */
  unused: number;
}

export type Members = Record<string, unknown>;

type Shapes = Record<string, z.ZodType>;
type Facets<S extends Shapes> = { [K in keyof S]?: z.output<S[K]> | DeletedFacet };

export const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Calls `read` with `step` added to the path. */
export function under<T>(reading: ReadContext, step: string | number, read: () => T): T {
  reading.path.push(step);
  const taken = read();
  reading.path.pop();
  return taken;
}

/** The facets of these shapes in the member of that name; empty when it is missing or not an object. */
export function facetsOf<S extends Shapes>(
  holder: Members,
  member: string,
  shapes: S,
  reading: ReadContext,
): Facets<S> {
  const given = own(holder, member);
  if (!isGiven(given)) return {};
  return under(reading, member, () => {
    if (!isObject(given)) {
      reading.warnings.add(reading.path, "invalid", "must be an object");
      return {};
    }
    return knownFacets(given, shapes, reading);
  });
}

function knownFacets<S extends Shapes>(given: Members, shapes: S, reading: ReadContext): Facets<S> {
  const taken: Members = {};
  for (const name of Object.keys(given)) {
    const shape = own(shapes, name);
    const value = own(given, name);
    if (shape === undefined) reading.unused++;
    else if (isGiven(value)) {
      const facet = under(reading, name, () => facetOf(value, shape, reading));
      // lookup-ok -- names of our shapes alone
      if (facet !== undefined) taken[name] = facet;
    }
  }
  return taken as Facets<S>;
}

function facetOf(value: unknown, shape: z.ZodType, reading: ReadContext): unknown {
  if (isObject(value) && own(value, "_deleted") === true) return { _deleted: true };
  return readLeniently(shape, value, reading);
}

/** The facets of a dataset. */
export function datasetFacetsOf(dataset: Members, reading: ReadContext): DatasetFacets {
  const facets = facetsOf(dataset, "facets", datasetFacets, reading);
  const { schema } = facets;
  if (!schema || isDeleted(schema) || !schema.fields) return facets;
  const place: ReadContext = { ...reading, path: [...reading.path, "facets", "schema", "fields"] };
  return { ...facets, schema: { fields: trimmedFields(schema.fields, place) } };
}

/** The inputs and outputs of an event; a side is absent where the event has no list of it. */
export function sidesOf(
  value: Members,
  reading: ReadContext,
): { inputs?: Input[]; outputs?: Output[] } {
  const inputs = sideOf(value, "inputs", reading, (item): Input | undefined => {
    const dataset = datasetOf(item, reading);
    return dataset &&
      { ...dataset, inputFacets: facetsOf(item, "inputFacets", inputFacets, reading) };
  });
  const outputs = sideOf(value, "outputs", reading, (item): Output | undefined => {
    const dataset = datasetOf(item, reading);
    return dataset &&
      { ...dataset, outputFacets: facetsOf(item, "outputFacets", outputFacets, reading) };
  });
  return { ...(inputs ? { inputs } : {}), ...(outputs ? { outputs } : {}) };
}

function sideOf<T>(
  value: Members,
  side: "inputs" | "outputs",
  reading: ReadContext,
  read: (item: Members) => T | undefined,
): T[] | undefined {
  const given = own(value, side);
  if (!isGiven(given)) return undefined;
  return under(reading, side, () => {
    if (!Array.isArray(given)) {
      return void reading.warnings.add(reading.path, "invalid", "must be a list");
    }
    const taken: T[] = [];
    for (const [index, item] of given.slice(0, maxDatasets).entries()) {
      const one = under(reading, index, () => {
        if (isObject(item)) return read(item);
        return void reading.warnings.add(reading.path, "invalid", "must be an object");
      });
      if (one !== undefined) taken.push(one);
    }
    if (given.length > maxDatasets) {
      const message = `holds more than ${maxDatasets} datasets; further ones were left out`;
      reading.warnings.add(reading.path, "too_many", message);
    }
    return taken;
  });
}

/** Undefined, with a warning, for an item without namespace or name. */
function datasetOf(item: Members, reading: ReadContext): Dataset | undefined {
  const named = readLeniently(Named, item, reading);
  return named && { ...named, facets: datasetFacetsOf(item, reading) };
}

/** The first `maxFields` fields of a schema, nested ones included; a warning reports the others. */
function trimmedFields(fields: SchemaField[], place: ReadPosition): SchemaField[] {
  const budget = { left: maxFields, over: 0 };
  const taken = firstFields(fields, budget);
  if (budget.over > 0) {
    const message = `holds more than ${maxFields} fields; further ones were left out`;
    place.warnings.add(place.path, "too_many", message);
  }
  return taken;
}

/** The nesting is bounded: `fields` were read leniently. */
function firstFields(fields: SchemaField[], budget: { left: number; over: number }): SchemaField[] {
  const taken: SchemaField[] = [];
  for (const field of fields) {
    if (budget.left === 0) {
      budget.over++;
      break;
    }
    budget.left--;
    taken.push(field.fields ? { ...field, fields: firstFields(field.fields, budget) } : field);
  }
  return taken;
}
