import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { entityTypeNames, entityTypes } from "#contract/entities.ts";
import { Id, maxParameterText } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";

const longestName = 1_000;

/** Most members of a group made by hand. */
export const maxMembers = 100_000;

const groupTypeNames = entityTypeNames.filter((name) =>
  (entityTypes[name].classes as readonly string[]).includes("DATA_ENTITY_GROUP")
);

const GroupType = z.object({
  id: z.number().int().nullish(),
  name: z.enum(groupTypeNames as [typeof groupTypeNames[number]], {
    error: `must be a type of groups: ${groupTypeNames.join(", ")}`,
  }),
}).refine((type) => type.id == null || entityTypes[type.name].id === type.id, {
  error: "must carry the id of the type it names, or none",
  path: ["id"],
});

/** Only the id of a member counts; whole references as answered by other operations are taken. */
const MemberRef = z.object({ id: Id });

/** What a group made by hand is to be. */
export const GroupForm = z.object({
  name: givenText({ min: 1, max: longestName }),
  namespace_name: givenText({ max: 255 }).nullish(),
  type: GroupType,
  entities: boundedArray(MemberRef, maxMembers),
}).openapi("DataEntityGroupFormData");
export type GroupForm = z.output<typeof GroupForm>;

export const AddToGroupForm = z.object({ data_entity_group_id: Id })
  .openapi("DataEntityDataEntityGroupFormData");

/** An optional text to look for in names; blank means everything. */
export const nameQuery = givenText({ max: maxParameterText }).optional().openapi({
  param: { name: "query", in: "query", required: false },
  type: "string",
  description: "Part of a name, in any case",
});
