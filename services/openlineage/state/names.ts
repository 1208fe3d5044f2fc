import { type Facet, textOf } from "./facets.ts";
import type { Name } from "./model.ts";

type FacetValue = NonNullable<Facet["v"]>;

/** A name that a facet gives; null when it is not whole. */
export function nameOf(given: FacetValue | undefined): Name | null {
  const namespace = textOf(given, "namespace");
  const name = textOf(given, "name");
  return namespace !== undefined && name !== undefined ? { namespace, name } : null;
}

/** The whole names that some objects give. */
export function namesOf(given: FacetValue[]): Name[] {
  return given.flatMap((each) => nameOf(each) ?? []);
}

/** Equal for equal names. */
export function nameKey({ namespace, name }: Name): string {
  return JSON.stringify([namespace, name]);
}
