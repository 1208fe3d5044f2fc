import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { entityTypeNames, entityTypes } from "#contract/entities.ts";
import { Id, maxParameterText } from "#contract/http.ts";
import { givenName, givenText } from "#contract/text.ts";

const longestName = 1_000;

/** Maximum number of members of a manually created group. */
export const maxMembers = 100_000;

const groupTypeNames = entityTypeNames.filter((name) =>
  (entityTypes[name].classes as readonly string[]).includes("DATA_ENTITY_GROUP")
);

const GroupType = z.object({
  id: Id.nullish(),
  name: z.enum(groupTypeNames as [typeof groupTypeNames[number]], {
    error: `must be a type of groups: ${groupTypeNames.join(", ")}`,
  }),
}).refine((type) => type.id == null || entityTypes[type.name].id === type.id, {
  error: "must carry the id of the type it names, or none",
  path: ["id"],
});

/** Only the id is used; clients may send whole references as other operations return them. */
const MemberRef = z.object({ id: Id });

/** The desired state of a manually created group. */
export const GroupForm = z.object({
  name: givenName({ min: 1, max: longestName }),
  namespace_name: givenName({ max: 255 }).nullish(),
  type: GroupType,
  entities: boundedArray(MemberRef, maxMembers),
}).openapi("DataEntityGroupFormData");
export type GroupForm = z.output<typeof GroupForm>;

export const AddToGroupForm = z.object({ data_entity_group_id: Id })
  .openapi("DataEntityDataEntityGroupFormData");

/** An optional text to search for in names; blank counts as absent. */
export const nameQuery = givenText({ max: maxParameterText }).optional().openapi({
  param: { name: "query", in: "query", required: false },
  type: "string",
  description: "Part of a name, in any case",
});
