import { z } from "@hono/zod-openapi";
import { QueryExample } from "#contract/catalogue/query-examples.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, okJson } from "#platform/operations/reply.ts";
import { entityOfPath, termOfPath } from "#services/api/access/resources.ts";
import { EntityLinkForm, TermLinkForm } from "#services/api/features/query-examples/schemas.ts";
import * as service from "#services/api/features/query-examples/service.ts";

const document = "platform" as const;
const activity = { none: "as published: the feed has no events for query examples" };
const attached = {
  200: { description: "The query example with its links", schema: QueryExample },
};
const detached = { 204: { description: "It is not attached any more" } };
const ofEntity = "/api/dataentities/{data_entity_id}/queryexample";
const ofTerm = "/api/terms/{term_id}/queryexample";
const entity = { data_entity_id: idParam("data_entity_id") };
const term = { term_id: idParam("term_id") };
const example = { example_id: idParam("example_id") };

const attachToEntity = operation({
  id: "createQueryExampleToDatasetRelationshipNew",
  method: "post",
  path: ofEntity,
  document,
  tag: "dataEntity",
  summary: "Attach a query example to a data entity",
  access: { permission: "QUERY_EXAMPLE_DATASET_CREATE", on: "DATA_ENTITY", of: entityOfPath },
  activity,
  params: z.object(entity),
  body: EntityLinkForm,
  responses: attached,
  errors: [404],
});

const detachFromEntity = operation({
  id: "deleteQueryExampleToDatasetRelationshipNew",
  method: "delete",
  path: `${ofEntity}/{example_id}`,
  document,
  tag: "dataEntity",
  summary: "Take a query example from a data entity",
  access: { permission: "QUERY_EXAMPLE_DATASET_DELETE", on: "DATA_ENTITY", of: entityOfPath },
  activity,
  params: z.object({ ...entity, ...example }),
  responses: detached,
  errors: [404],
});

const attachToTerm = operation({
  id: "createQueryExampleToTermRelationship",
  method: "post",
  path: ofTerm,
  document,
  tag: "term",
  summary: "Attach a query example to a term",
  access: { permission: "QUERY_EXAMPLE_TERM_CREATE", on: "TERM", of: termOfPath },
  activity,
  params: z.object(term),
  body: TermLinkForm,
  responses: attached,
  errors: [404],
});

const detachFromTerm = operation({
  id: "deleteQueryExampleToTermRelationship",
  method: "delete",
  path: `${ofTerm}/{example_id}`,
  document,
  tag: "term",
  summary: "Take a query example from a term",
  access: { permission: "QUERY_EXAMPLE_TERM_DELETE", on: "TERM", of: termOfPath },
  activity,
  params: z.object({ ...term, ...example }),
  responses: detached,
  errors: [404],
});

/** The operations that attach query examples to data entities and terms. */
export function exampleLinkRoutes(context: Context): Route[] {
  return [
    serve(attachToEntity, async ({ params, body, actor }) => {
      const id = params.data_entity_id;
      return okJson(await service.attach(context, actor, "entity", id, body.query_example_id));
    }),
    serve(detachFromEntity, async ({ params, actor }) => {
      await service.detach(context, actor, "entity", params.data_entity_id, params.example_id);
      return noContent();
    }),
    serve(attachToTerm, async ({ params, body, actor }) => {
      const id = params.term_id;
      return okJson(await service.attach(context, actor, "term", id, body.query_example_id));
    }),
    serve(detachFromTerm, async ({ params, actor }) => {
      await service.detach(context, actor, "term", params.term_id, params.example_id);
      return noContent();
    }),
  ];
}
