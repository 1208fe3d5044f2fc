import type { PermissionResource } from "#contract/permissions.ts";

/** What conditions may ask of a resource: its attributes, and how the caller stands to it. */
interface ConditionKeys {
  attributes: readonly [string, ...string[]];
  /** Used by `is` and `not_is`. */
  relations: readonly string[];
}

/** Resources that conditions can distinguish. */
export type ConditionedResource = Exclude<PermissionResource, "MANAGEMENT">;

/** Keys of conditions by the type of the resource; who can change the attribute of each is in `writers`. */
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

type Attribute = (typeof conditionKeys)[ConditionedResource]["attributes"][number];

const item =
  "batches: the token of the data source or its collector; anybody while the ingestion filter is off";
const source =
  "clients that register data sources: a collector; anybody while the ingestion filter is off; `DATA_SOURCE_UPDATE`";

/** Who can change the attribute of a condition key, as docs/operate/permissions.md shows it. */
export const writers: Record<Attribute, string> = {
  "dataEntity:catrn": `${item}; never changes after creation`,
  "dataEntity:internalName": "`DATA_ENTITY_INTERNAL_NAME_UPDATE`, `DATA_ENTITY_GROUP_UPDATE`",
  "dataEntity:externalName": item,
  "dataEntity:type": `${item}; \`DATA_ENTITY_GROUP_UPDATE\` for a group created by a person`,
  "dataEntity:class": item,
  "dataEntity:datasource:catrn":
    `${item}; with the filter on, no source replaces an asset of another one`,
  "dataEntity:datasource:name": source,
  "dataEntity:namespace:name":
    "`DATA_SOURCE_UPDATE`, `COLLECTOR_UPDATE`, `NAMESPACE_UPDATE`; for a group `DATA_ENTITY_GROUP_UPDATE`",
  "dataEntity:tag:name": "`DATA_ENTITY_TAGS_UPDATE`, `TAG_UPDATE`",
  "dataEntity:ingestedTag:name": `${item}; \`TAG_UPDATE\``,
  "dataEntity:owner": "`DATA_ENTITY_OWNERSHIP_CREATE` and `…_DELETE`, `OWNER_UPDATE`",
  "dataEntity:owner:title": "`DATA_ENTITY_OWNERSHIP_CREATE`, `…_UPDATE` and `…_DELETE`",
  "term:name": "`TERM_CREATE`, `TERM_UPDATE`",
  "term:namespace:name": "`TERM_CREATE`, `TERM_UPDATE`, `NAMESPACE_UPDATE`",
  "term:tag:name": "`TERM_TAGS_UPDATE`, `TAG_UPDATE`",
  "term:owner": "`TERM_OWNERSHIP_CREATE` and `…_DELETE`, `OWNER_UPDATE`",
  "term:owner:title": "`TERM_OWNERSHIP_CREATE`, `…_UPDATE` and `…_DELETE`",
  "queryexample:name": "`QUERY_EXAMPLE_CREATE`, `QUERY_EXAMPLE_UPDATE`",
};
