import { z } from "@hono/zod-openapi";
import { TagList } from "#contract/catalogue/common.ts";
import { Ownership } from "#contract/catalogue/people.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { termOfPath } from "#services/api/access/resources.ts";
import { OwnershipForm, OwnershipUpdateForm } from "#services/api/features/ownership/service.ts";
import { TagsForm } from "#services/api/features/tags/service.ts";
import * as service from "#services/api/features/terms/service.ts";

const common = {
  tag: "term",
  activity: { none: "the feed contains changes of entities; a term is not one" },
};
const term_id = idParam("term_id");
const all = "/api/terms/{term_id}/ownership";
const one = {
  ...common,
  path: `${all}/{ownership_id}`,
  params: z.object({ term_id, ownership_id: idParam("ownership_id") }),
};
const on = { on: "TERM", of: termOfPath } as const;
const answer = { 200: { description: "The ownership", schema: Ownership } };

const createSpec = operation({
  ...common,
  id: "createTermOwnership",
  method: "post",
  path: all,
  summary: "Give a term an owner; owner and title are created if they do not exist",
  access: { permission: "TERM_OWNERSHIP_CREATE", ...on },
  params: z.object({ term_id }),
  body: OwnershipForm,
  responses: answer,
});

const updateSpec = operation({
  ...one,
  id: "updateTermOwnership",
  method: "put",
  summary: "Set the title by which an owner owns a term",
  access: { permission: "TERM_OWNERSHIP_UPDATE", ...on },
  body: OwnershipUpdateForm,
  responses: answer,
});

const deleteSpec = operation({
  ...one,
  id: "deleteTermOwnership",
  method: "delete",
  summary: "Take an owner from a term",
  access: { permission: "TERM_OWNERSHIP_DELETE", ...on },
  responses: { 204: { description: "It owns the term no longer" } },
});

const tagsSpec = operation({
  ...common,
  id: "createTermTagsRelations",
  method: "put",
  path: "/api/terms/{term_id}/tags",
  summary: "Set the tags of a term; missing ones are made",
  access: { permission: "TERM_TAGS_UPDATE", ...on },
  params: z.object({ term_id }),
  body: TagsForm,
  responses: { 200: { description: "The tags", schema: TagList } },
});

/** Owners and tags of terms. */
export function peopleRoutes(context: Context): Route[] {
  return [
    serve(createSpec, ({ params, body, actor }) => {
      return service.createOwnership(context, actor, params.term_id, body);
    }),
    serve(updateSpec, ({ params: { term_id: termId, ownership_id: id }, body, actor }) => {
      return service.updateOwnership(context, actor, { termId, id }, body);
    }),
    serve(deleteSpec, ({ params: { term_id: termId, ownership_id: id }, actor }) => {
      return service.deleteOwnership(context, actor, { termId, id });
    }),
    serve(tagsSpec, ({ params, body, actor }) => {
      return service.tagTerm(context, actor, params.term_id, body.tag_name_list);
    }),
  ];
}
