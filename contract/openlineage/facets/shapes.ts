import { z } from "@hono/zod-openapi";
import { taking } from "../lenient.ts";
import { maxFields, maxListed } from "../limits.ts";
import { FieldName, Name, Namespace, Text } from "../texts.ts";

/** A facet that a producer took back (`_deleted: true`). */
export const DeletedFacet = z.object({ _deleted: z.literal(true) });
export type DeletedFacet = z.infer<typeof DeletedFacet>;

/** Whether a facet was taken back. */
export function isDeleted(facet: object): facet is DeletedFacet {
  return "_deleted" in facet;
}

export const list = <T extends z.ZodType>(entry: T, max = maxListed) =>
  taking(max, z.array(entry).max(max));

/** By name of a field. */
export const byField = <T extends z.ZodType>(entry: T) =>
  taking(maxFields, z.record(FieldName, entry));

/** How a job or dataset is named. */
export const Named = z.object({ namespace: Namespace, name: Name });

export const Tag = z.object({
  key: Text,
  value: Text.optional(),
  source: Text.optional(),
});

export const Ownership = z.object({
  owners: list(z.object({ name: Text, type: Text.optional() })).optional(),
});

export const Documentation = z.object({
  description: Text,
  contentType: Text.optional(),
});

type Shapes = Record<string, z.ZodType>;
type FacetsOf<S extends Shapes> = z.ZodObject<
  { [K in keyof S]: z.ZodOptional<z.ZodUnion<[S[K], typeof DeletedFacet]>> }
>;

/** The object that holds facets of these shapes, or their tombstones. */
export function facets<S extends Shapes>(shapes: S): FacetsOf<S> {
  const members = Object.entries(shapes).map(([name, shape]) =>
    [name, z.union([shape, DeletedFacet]).optional()] as const
  );
  return z.object(Object.fromEntries(members)) as unknown as FacetsOf<S>;
}
