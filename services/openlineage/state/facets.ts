import { canonical, sha256 } from "#kit/canonical.ts";
import { Memo } from "#kit/memo.ts";
import { isObject, own } from "#kit/own.ts";
import { named, newest, type TimedValue } from "./join.ts";

/** A facet as an event gave it; null was deleted. A facet is replaced whole. */
export type Facet = TimedValue<Record<string, unknown> | null>;

/** Facets of one room by name; the names are of the lists below, never a client's. */
export type Facets = Partial<Record<string, Facet>>;

/** What is stored of the facets of a job. */
export const jobFacets = [
  "sql",
  "documentation",
  "sourceCodeLocation",
  "jobType",
  "tags",
  "ownership",
  "jobDependencies",
  "lineage",
] as const;

/** What is stored of the facets of a run. */
export const runFacets = [
  "parent",
  "errorMessage",
  "nominalTime",
  "externalQuery",
  "processing_engine",
  "extractionError",
  "test",
  "testRun",
  "tags",
] as const;

/** The stored facets of a dataset, wherever it is named, except schema and lifecycle changes. */
export const datasetFacets = [
  "documentation",
  "tags",
  "ownership",
  "storage",
  "dataSource",
  "catalog",
  "version",
  "hierarchy",
  "datasetType",
  "symlinks",
  "dataQualityMetrics",
] as const;

/** What is stored with the input or output of one run. */
export const ioFacets = [
  "version",
  "columnLineage",
  "inputStatistics",
  "outputStatistics",
  "dataQualityAssertions",
] as const;

/** Facets as events carry them. */
export type InputFacets = Readonly<Record<string, unknown>> | undefined;

/** The facets among `names`, each with time and hash; a later object of `given` goes before an earlier. */
export function facetsOf(names: readonly string[], t: number, ...given: InputFacets[]): Facets {
  const found = new Map<string, Facet>();
  for (const name of names) {
    for (const each of given) {
      const facet = facetOf(each, name, t);
      if (facet) found.set(name, facet);
    }
  }
  return Object.fromEntries(found);
}

/** One facet with time and hash; null when it is not given, or is no object. */
export function facetOf(given: InputFacets, name: string, t: number): Facet | null {
  const value = givenValue(given, name);
  return value === undefined ? null : dated(value, t);
}

/** What a facet says, where nothing is stored of it; null when it was deleted, undefined when it is not given. */
export function givenValue(
  given: InputFacets,
  name: string,
): Record<string, unknown> | null | undefined {
  const value = given && own(given, name);
  if (!isObject(value)) return undefined;
  const { _producer: _p, _schemaURL: _s, ...rest } = value;
  return rest._deleted === true ? null : rest;
}

/** A value with its time and the hash of its content. */
export function dated<V>(v: V, t: number): TimedValue<V> {
  return { v, t, h: contentHash(v) };
}

/** Maximum number of characters of contents whose hashes are stored. */
export const maxHashedCharacters = 8_000_000;

/** Hashes of contents by their JSON: events say the same of the same tables again and again. */
export const contentHashes: Memo<string> = new Memo<string>({
  maxCharacters: maxHashedCharacters,
  longest: 20_000,
});

/** The hash of what was read from JSON, whatever the order of its members. */
export function contentHash(v: unknown): string {
  return contentHashes.get(JSON.stringify(v), () => sha256(canonical(v)).slice(0, 16));
}

export const joinFacets = named<string, Facet>(newest);

/** The content of a facet; undefined when there is none, or it was deleted. */
export function valueOf(facets: Facets, name: string): Record<string, unknown> | undefined {
  return own(facets as Record<string, Facet>, name)?.v ?? undefined;
}

/** A text member of a facet, unless it is missing or empty. */
export function textOf(facet: Record<string, unknown> | undefined, name: string) {
  const value = facet && own(facet, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The objects of a list member of a facet. */
export function objectsOf(facet: Record<string, unknown> | undefined, name: string) {
  const value = facet && own(facet, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A value that is an object and no list; undefined for any other. */
export function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}
