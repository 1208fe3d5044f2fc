import type { PermissionResource } from "#contract/permissions.ts";

/** What conditions may ask of a resource: its attributes, and how the caller stands to it. */
export interface ConditionKeys {
  attributes: readonly [string, ...string[]];
  /** Used by `is` and `not_is`. */
  relations: readonly string[];
}

/** Resources that conditions can distinguish. */
export type ConditionedResource = Exclude<PermissionResource, "MANAGEMENT">;

/** Keys of conditions by the type of the resource; who can change the attribute of each is in `writers.ts`. */
export const conditionKeys = {
  DATA_ENTITY: {
    attributes: [
      "dataEntity:catrn",
      "dataEntity:internalName",
      "dataEntity:externalName",
      "dataEntity:type",
      "dataEntity:class",
      "dataEntity:datasource:catrn",
      "dataEntity:datasource:name",
      "dataEntity:namespace:name",
      "dataEntity:tag:name",
      "dataEntity:ingestedTag:name",
      "dataEntity:owner",
      "dataEntity:owner:title",
    ],
    relations: ["dataEntity:owner"],
  },
  TERM: {
    attributes: [
      "term:name",
      "term:namespace:name",
      "term:tag:name",
      "term:owner",
      "term:owner:title",
    ],
    relations: ["term:owner"],
  },
  QUERY_EXAMPLE: { attributes: ["queryexample:name"], relations: [] },
} as const satisfies Record<ConditionedResource, ConditionKeys>;
