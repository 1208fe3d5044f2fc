import { z } from "@hono/zod-openapi";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { listQuery } from "#contract/catalogue/inputs.ts";
import { DatasetFieldList } from "#contract/catalogue/linked-columns.ts";
import { LinkedTerm, LinkedTermList } from "#contract/catalogue/terms.ts";
import { idParam, integerQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath, termOfPath } from "#services/api/access/resources.ts";
import { DataEntityTermForm, LinkedTermForm } from "#services/api/features/terms/service.ts";
import * as service from "#services/api/features/terms/service.ts";

const common = { tag: "term" };
const reading = { ...common, method: "get" as const, access: "signed-in" as const };
const one = "/api/terms/{term_id}";
const term_id = idParam("term_id");
const params = z.object({ term_id });
const query = listQuery("Part of a name, in any case");
const activity = { none: "the feed contains changes of entities; a term is not one" };

/** The published contract names no permission for links of terms. */
const linkAccess = {
  permission: "TERM_UPDATE",
  on: "TERM",
  of: termOfPath,
  dormant: true,
} as const;

const entitiesSpec = operation({
  ...reading,
  id: "getTermLinkedEntities",
  path: `${one}/linked_entities`,
  summary: "The entities that people, or their descriptions, link with a term",
  params,
  query: query.extend({
    entity_class_id: integerQuery("entity_class_id", { min: 1, max: 32_767 }),
  }),
  responses: { 200: { description: "One page", schema: DataEntityList } },
});

const columnsSpec = operation({
  ...reading,
  id: "getTermLinkedColumns",
  path: `${one}/linked_columns`,
  summary: "The columns, of the newest structures, that are linked with a term; by name",
  params,
  query,
  responses: { 200: { description: "One page", schema: DatasetFieldList } },
});

const termsSpec = operation({
  ...reading,
  id: "getTermLinkedTerms",
  path: `${one}/linked_terms`,
  summary: "The terms that are linked with a term, from either side; by namespace and name",
  params,
  query,
  responses: { 200: { description: "One page", schema: LinkedTermList } },
});

const linkSpec = operation({
  ...common,
  id: "addLinkedTermToTerm",
  method: "post",
  path: `${one}/term`,
  summary: "Link two terms; both show the link",
  access: linkAccess,
  activity,
  params,
  body: LinkedTermForm,
  responses: { 200: { description: "The other term", schema: LinkedTerm } },
});

const unlinkSpec = operation({
  ...common,
  id: "deleteLinkedTermFromTerm",
  method: "delete",
  path: `${one}/term/{linked_term_id}`,
  summary: "Take the link from two terms",
  access: linkAccess,
  activity,
  params: z.object({ term_id, linked_term_id: idParam("linked_term_id") }),
  responses: { 204: { description: "They are linked no longer" } },
});

const ofEntity = { ...common, tag: "dataEntity" };
const data_entity_id = idParam("data_entity_id");
const on = { on: "DATA_ENTITY", of: entityOfPath, dormant: true } as const;

const addSpec = operation({
  ...ofEntity,
  id: "addDataEntityTerm",
  method: "post",
  path: "/api/dataentities/{data_entity_id}/terms",
  summary: "Link an entity with a term; searches for the term then find it",
  access: { permission: "DATA_ENTITY_ADD_TERM", ...on },
  activity: ["TERM_ASSIGNMENT_UPDATED"],
  params: z.object({ data_entity_id }),
  body: DataEntityTermForm,
  responses: { 200: { description: "The term", schema: LinkedTerm } },
});

const removeSpec = operation({
  ...ofEntity,
  id: "deleteTermFromDataEntity",
  method: "delete",
  path: "/api/dataentities/{data_entity_id}/terms/{term_id}",
  summary: "Take a term from an entity that people linked with it",
  access: { permission: "DATA_ENTITY_DELETE_TERM", ...on },
  activity: ["TERM_ASSIGNMENT_UPDATED"],
  params: z.object({ data_entity_id, term_id }),
  responses: { 204: { description: "People link them no longer" } },
});

/** What is linked with terms: lists, links between terms, and links of entities. */
export function linkRoutes(context: Context): Route[] {
  return [
    serve(entitiesSpec, ({ params, query }) => {
      return service.listEntities(context, params.term_id, query);
    }),
    serve(columnsSpec, ({ params, query }) => service.listColumns(context, params.term_id, query)),
    serve(termsSpec, ({ params, query }) => {
      return service.listLinkedTerms(context, params.term_id, query);
    }),
    serve(linkSpec, ({ params, body, actor }) => {
      return service.linkTerms(context, actor, params.term_id, body.linked_term_id);
    }),
    serve(unlinkSpec, ({ params, actor }) => {
      return service.unlinkTerms(context, actor, params.term_id, params.linked_term_id);
    }),
    serve(addSpec, ({ params, body, actor }) => {
      return service.addEntityTerm(context, actor, params.data_entity_id, body.term_id);
    }),
    serve(removeSpec, ({ params, actor }) => {
      return service.removeEntityTerm(context, actor, params.data_entity_id, params.term_id);
    }),
  ];
}
