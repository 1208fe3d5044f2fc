import { z } from "@hono/zod-openapi";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { TermDetails, TermRef, TermRefList } from "#contract/catalogue/terms.ts";
import { idParam, pageQuery, storableTextParam, timeQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { termOfPath } from "#services/api/access/resources.ts";
import { linkRoutes } from "#services/api/features/terms/link-routes.ts";
import { peopleRoutes } from "#services/api/features/terms/people-routes.ts";
import { TermForm } from "#services/api/features/terms/service.ts";
import * as service from "#services/api/features/terms/service.ts";
import { familyRoutes } from "#services/api/search/search.ts";

const common = { tag: "term" };
const all = "/api/terms";
const one = `${all}/{term_id}`;
const params = z.object({ term_id: idParam("term_id") });
const activity = { none: "the feed contains changes of entities; a term is not one" };
const answer = { 200: { description: "The term", schema: TermDetails } };
const [start, end] = [
  "updated_at_range_start_date_time",
  "updated_at_range_end_date_time",
] as const;

const listSpec = operation({
  ...common,
  id: "getTermsList",
  method: "get",
  path: all,
  summary: "Terms by name, those changed last within a range of time if one is given",
  access: "signed-in",
  query: z.object({
    ...pageQuery,
    query: searchQuery("query", "Part of a name, in any case"),
    [start]: timeQuery(start),
    [end]: timeQuery(end),
  }),
  responses: { 200: { description: "One page", schema: TermRefList } },
});

const createSpec = operation({
  ...common,
  id: "createTerm",
  method: "post",
  path: all,
  summary: "Create a term, and its namespace if it does not exist",
  access: { permission: "TERM_CREATE", on: "MANAGEMENT" },
  activity,
  body: TermForm,
  responses: answer,
});

const getSpec = operation({
  ...common,
  id: "getTermDetails",
  method: "get",
  path: one,
  summary: "Everything about one term",
  access: "signed-in",
  params,
  responses: answer,
});

const updateSpec = operation({
  ...common,
  id: "updateTerm",
  method: "put",
  path: one,
  summary: "Change a term; its name only while no text mentions it",
  access: { permission: "TERM_UPDATE", on: "TERM", of: termOfPath },
  activity,
  params,
  body: TermForm,
  responses: answer,
});

const deleteSpec = operation({
  ...common,
  id: "deleteTerm",
  method: "delete",
  path: one,
  summary: "Delete a term that no text mentions, and remove its links",
  access: { permission: "TERM_DELETE", on: "TERM", of: termOfPath },
  activity,
  params,
  responses: { 204: { description: "Deleted" } },
});

const namedSpec = operation({
  ...common,
  id: "getTermByNamespaceAndName",
  method: "get",
  path: `${all}/namespaces/{namespace_name}/names/{term_name}`,
  summary: "One term by its names, in any case and Unicode normal form",
  access: "signed-in",
  params: z.object({
    namespace_name: storableTextParam("namespace_name"),
    term_name: storableTextParam("term_name"),
  }),
  responses: { 200: { description: "The term", schema: TermRef } },
});

/** The operations of the glossary. */
export function termRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query: { [start]: since, [end]: until, ...query } }) => {
      return service.listTerms(context, { ...query, since, until });
    }),
    serve(createSpec, ({ body, actor }) => service.createTerm(context, actor, body)),
    serve(getSpec, ({ params }) => service.describeTerm(context, params.term_id)),
    serve(updateSpec, ({ params, body, actor }) => {
      return service.updateTerm(context, actor, params.term_id, body);
    }),
    serve(deleteSpec, ({ params, actor }) => service.deleteTerm(context, actor, params.term_id)),
    serve(namedSpec, ({ params: { namespace_name, term_name } }) => {
      return service.findTerm(context, namespace_name, term_name);
    }),
    ...linkRoutes(context),
    ...peopleRoutes(context),
    ...familyRoutes(context, service.termSearch),
  ];
}
