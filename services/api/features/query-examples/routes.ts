import { z } from "@hono/zod-openapi";
import { listQuery } from "#contract/catalogue/inputs.ts";
import {
  QueryExample,
  QueryExampleDetails,
  QueryExampleList,
  QueryExampleRefList,
} from "#contract/catalogue/assets.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath, queryExampleOfPath, termOfPath } from "#services/api/access/resources.ts";
import {
  EntityLinkForm,
  QueryExampleForm,
  TermLinkForm,
} from "#services/api/features/query-examples/service.ts";
import * as service from "#services/api/features/query-examples/service.ts";
import { familyRoutes } from "#services/api/search/search.ts";

const common = {
  tag: "queryExample",
  path: "/api/queryexample",
  activity: { none: "as published: the feed has no events for query examples" },
};
const one = {
  ...common,
  path: `${common.path}/{example_id}`,
  params: z.object({ example_id: idParam("example_id") }),
};
const change = { on: "QUERY_EXAMPLE", of: queryExampleOfPath } as const;
const details = { 200: { description: "The query example", schema: QueryExampleDetails } };
const all = { 200: { description: "All of them", schema: QueryExampleList } };

const listSpec = operation({
  ...common,
  id: "getQueryExampleList",
  method: "get",
  summary: "Query examples in order of their ids",
  access: "signed-in",
  query: listQuery("Words, or beginnings of words, that all must be found, as in a search"),
  responses: { 200: { description: "One page", schema: QueryExampleRefList } },
});

const createSpec = operation({
  ...common,
  id: "createQueryExamples",
  method: "post",
  summary: "Create a query example",
  access: { permission: "QUERY_EXAMPLE_CREATE", on: "MANAGEMENT" },
  body: QueryExampleForm,
  responses: details,
});

const detailsSpec = operation({
  ...one,
  id: "getQueryExampleDetails",
  method: "get",
  summary: "A query example with the data entities and terms that it is attached to",
  access: "signed-in",
  responses: details,
});

const updateSpec = operation({
  ...one,
  id: "updateQueryExample",
  method: "put",
  summary: "Change a query example",
  access: { ...change, permission: "QUERY_EXAMPLE_UPDATE" },
  body: QueryExampleForm,
  responses: details,
});

const deleteSpec = operation({
  ...one,
  id: "deleteQueryExample",
  method: "delete",
  summary: "Delete a query example; the entities and terms that it is attached to stay",
  access: { ...change, permission: "QUERY_EXAMPLE_DELETE" },
  responses: { 204: { description: "Deleted" } },
});

const ofEntitySpec = operation({
  ...common,
  id: "getQueryExampleByDatasetId",
  method: "get",
  path: `${common.path}/dataset/{data_entity_id}`,
  summary: "The query examples of a data entity",
  access: "signed-in",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  responses: all,
});

const ofTermSpec = operation({
  ...common,
  id: "getQueryExampleByTermId",
  method: "get",
  path: `${common.path}/term/{term_id}`,
  summary: "The query examples of a term",
  access: "signed-in",
  params: z.object({ term_id: idParam("term_id") }),
  responses: all,
});

/** The operations on query examples, their search included, and those that attach them. */
export function queryExampleRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => service.listExamples(context, query)),
    serve(createSpec, ({ body, actor }) => service.createExample(context, actor, body)),
    ...familyRoutes(context, service.queryExampleSearch),
    serve(detailsSpec, ({ params }) => service.exampleDetails(context, params.example_id)),
    serve(updateSpec, ({ params, body, actor }) => {
      return service.updateExample(context, actor, params.example_id, body);
    }),
    serve(deleteSpec, ({ params, actor }) => {
      return service.deleteExample(context, actor, params.example_id);
    }),
    serve(ofEntitySpec, ({ params: { data_entity_id: id } }) => {
      return service.examplesOf(context, "entity", id);
    }),
    serve(ofTermSpec, ({ params }) => service.examplesOf(context, "term", params.term_id)),
    ...exampleLinkRoutes(context),
  ];
}

const attached = { 200: { description: "The query example with its links", schema: QueryExample } };
const detached = { 204: { description: "It is not attached any more" } };
const entity = { data_entity_id: idParam("data_entity_id") };
const term = { term_id: idParam("term_id") };
const example = { example_id: idParam("example_id") };
const ofEntity = {
  ...common,
  tag: "dataEntity",
  path: "/api/dataentities/{data_entity_id}/queryexample",
};
const ofTerm = { ...common, tag: "term", path: "/api/terms/{term_id}/queryexample" };

const attachToEntity = operation({
  ...ofEntity,
  id: "createQueryExampleToDatasetRelationshipNew",
  method: "post",
  summary: "Attach a query example to a data entity",
  access: { permission: "QUERY_EXAMPLE_DATASET_CREATE", on: "DATA_ENTITY", of: entityOfPath },
  params: z.object(entity),
  body: EntityLinkForm,
  responses: attached,
});

const detachFromEntity = operation({
  ...ofEntity,
  id: "deleteQueryExampleToDatasetRelationshipNew",
  method: "delete",
  path: `${ofEntity.path}/{example_id}`,
  summary: "Take a query example from a data entity",
  access: { permission: "QUERY_EXAMPLE_DATASET_DELETE", on: "DATA_ENTITY", of: entityOfPath },
  params: z.object({ ...entity, ...example }),
  responses: detached,
});

const attachToTerm = operation({
  ...ofTerm,
  id: "createQueryExampleToTermRelationship",
  method: "post",
  summary: "Attach a query example to a term",
  access: { permission: "QUERY_EXAMPLE_TERM_CREATE", on: "TERM", of: termOfPath },
  params: z.object(term),
  body: TermLinkForm,
  responses: attached,
});

const detachFromTerm = operation({
  ...ofTerm,
  id: "deleteQueryExampleToTermRelationship",
  method: "delete",
  path: `${ofTerm.path}/{example_id}`,
  summary: "Take a query example from a term",
  access: { permission: "QUERY_EXAMPLE_TERM_DELETE", on: "TERM", of: termOfPath },
  params: z.object({ ...term, ...example }),
  responses: detached,
});

/** The operations that attach query examples to data entities and terms. */
function exampleLinkRoutes(context: Context): Route[] {
  return [
    serve(attachToEntity, ({ params: { data_entity_id: id }, body, actor }) => {
      return service.attach(context, actor, "entity", id, body.query_example_id);
    }),
    serve(detachFromEntity, ({ params: { data_entity_id: id, example_id }, actor }) => {
      return service.detach(context, actor, "entity", id, example_id);
    }),
    serve(attachToTerm, ({ params, body, actor }) => {
      return service.attach(context, actor, "term", params.term_id, body.query_example_id);
    }),
    serve(detachFromTerm, ({ params, actor }) => {
      return service.detach(context, actor, "term", params.term_id, params.example_id);
    }),
  ];
}
