import { z } from "@hono/zod-openapi";
import { MetadataFieldList, MetadataFieldValue } from "#contract/catalogue/common.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import * as service from "#services/api/features/custom-metadata/service.ts";
import {
  MetadataFieldValueForm,
  MetadataFieldValueList,
  MetadataFieldValueUpdateForm,
} from "#services/api/features/custom-metadata/service.ts";

const entity = { data_entity_id: idParam("data_entity_id") };
const all = {
  tag: "dataEntity",
  path: "/api/dataentities/{data_entity_id}/metadata",
  params: z.object(entity),
};
const one = {
  ...all,
  path: "/api/dataentities/{data_entity_id}/metadata/{metadata_field_id}",
  params: z.object({ ...entity, metadata_field_id: idParam("metadata_field_id") }),
};
const onEntity = { on: "DATA_ENTITY", of: entityOfPath } as const;

const createSpec = operation({
  ...all,
  id: "createDataEntityMetadataFieldValue",
  method: "post",
  summary: "Give an entity values of fields by name and type; missing fields are made",
  access: { ...onEntity, permission: "DATA_ENTITY_CUSTOM_METADATA_CREATE" },
  activity: ["CUSTOM_METADATA_CREATED"],
  body: MetadataFieldValueForm,
  responses: {
    200: { description: "The values, in the order of the form", schema: MetadataFieldValueList },
  },
});

const updateSpec = operation({
  ...one,
  id: "upsertDataEntityMetadataFieldValue",
  method: "put",
  summary: "Change a value that people gave an entity",
  access: { ...onEntity, permission: "DATA_ENTITY_CUSTOM_METADATA_UPDATE" },
  activity: ["CUSTOM_METADATA_UPDATED"],
  body: MetadataFieldValueUpdateForm,
  responses: { 200: { description: "The value", schema: MetadataFieldValue } },
});

const deleteSpec = operation({
  ...one,
  id: "deleteDataEntityMetadataFieldValue",
  method: "delete",
  summary: "Take a value that people gave an entity",
  access: { ...onEntity, permission: "DATA_ENTITY_CUSTOM_METADATA_DELETE" },
  activity: ["CUSTOM_METADATA_DELETED"],
  responses: { 204: { description: "Taken" } },
});

const fieldsSpec = operation({
  id: "getMetadataFieldList",
  method: "get",
  path: "/api/metadata/fields",
  tag: "metadata",
  summary: "Fields that people use, by name; at most 1,000",
  access: "signed-in",
  query: z.object({ query: searchQuery("query", "Part of a name, in any case") }),
  responses: { 200: { description: "The fields", schema: MetadataFieldList } },
});

/** The operations on metadata that people write. */
export function customMetadataRoutes(context: Context): Route[] {
  return [
    serve(
      createSpec,
      ({ params, body, actor }) =>
        service.createValues(context, actor, params.data_entity_id, body),
    ),
    serve(
      updateSpec,
      async ({ params, body, actor }) =>
        ok(await service.updateValue(context, actor, params, body.value)),
    ),
    serve(deleteSpec, ({ params, actor }) => service.deleteValue(context, actor, params)),
    serve(fieldsSpec, ({ query }) => service.listFields(context, query.query)),
  ];
}
