import { z } from "@hono/zod-openapi";
import { Tag, TagList, TagsResponse } from "#contract/catalogue/common.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { idListQuery, idParam, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { BulkTagForm, TagForm, TagsForm } from "#services/api/features/tags/service.ts";
import * as service from "#services/api/features/tags/service.ts";

const common = {
  tag: "tag",
  activity: { none: "the feed contains changes of entities; a tag is not one" },
};
const one = {
  ...common,
  path: "/api/tags/{tag_id}",
  params: z.object({ tag_id: idParam("tag_id") }),
};

const listSpec = operation({
  ...common,
  id: "getPopularTagList",
  method: "get",
  path: "/api/tags",
  summary: "Tags, those that most entities, fields and terms have first, then by name",
  access: "signed-in",
  query: z.object({
    ...pageQuery,
    query: searchQuery("query", "Part of a name, in any case"),
    ids: idListQuery("ids"),
  }),
  responses: { 200: { description: "One page", schema: TagsResponse } },
});

const createSpec = operation({
  ...common,
  id: "createTag",
  method: "post",
  path: "/api/tags",
  summary: "Make tags; their names must be new",
  access: { permission: "TAG_CREATE", on: "MANAGEMENT" },
  body: BulkTagForm,
  responses: { 200: { description: "The tags, in the order of the form", schema: TagList } },
});

const updateSpec = operation({
  ...one,
  id: "updateTag",
  method: "put",
  summary: "Change a tag that no collector sets; what has it is found by the new name soon after",
  access: { permission: "TAG_UPDATE", on: "MANAGEMENT" },
  body: TagForm,
  responses: { 200: { description: "The tag", schema: Tag } },
});

const deleteSpec = operation({
  ...one,
  id: "deleteTag",
  method: "delete",
  summary: "Delete a tag that no collector sets, and remove it everywhere",
  access: { permission: "TAG_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

const ofEntitySpec = operation({
  ...common,
  id: "createDataEntityTagsRelations",
  method: "put",
  path: "/api/dataentities/{data_entity_id}/tags",
  tag: "dataEntity",
  summary:
    "Set the tags that an entity has by hand; missing ones are made, those of collectors stay",
  access: { permission: "DATA_ENTITY_TAGS_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["TAG_ASSIGNMENT_UPDATED"],
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  body: TagsForm,
  responses: { 200: { description: "All tags of the entity", schema: TagList } },
});

/** The operations on tags, and on those of data entities. */
export function tagRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => service.listTags(context, query)),
    serve(createSpec, ({ body, actor }) => service.createTags(context, actor, body)),
    serve(updateSpec, ({ params, body, actor }) => {
      return service.updateTag(context, actor, params.tag_id, body);
    }),
    serve(deleteSpec, ({ params, actor }) => service.deleteTag(context, actor, params.tag_id)),
    serve(ofEntitySpec, ({ params, body, actor }) => {
      const id = params.data_entity_id;
      return service.tagEntity(context, actor, id, body.tag_name_list);
    }),
  ];
}
