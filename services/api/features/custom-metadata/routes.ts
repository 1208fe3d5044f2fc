import { z } from "@hono/zod-openapi";
import { MetadataFieldList, MetadataFieldValue } from "#contract/catalogue/common.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import type { Permission } from "#contract/permissions.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import * as service from "#services/api/features/custom-metadata/service.ts";
import {
  MetadataFieldValueForm,
  MetadataFieldValueList,
  MetadataFieldValueUpdateForm,
} from "#services/api/features/custom-metadata/service.ts";

const ofEntity = { tag: "dataEntity" };
const path = "/api/dataentities/{data_entity_id}/metadata";
const one = `${path}/{metadata_field_id}`;
const entity = { data_entity_id: idParam("data_entity_id") };
const value = z.object({ ...entity, metadata_field_id: idParam("metadata_field_id") });

const onEntity = (permission: Permission) => ({
  permission,
  on: "DATA_ENTITY" as const,
  of: entityOfPath,
});

const createSpec = operation({
  ...ofEntity,
  id: "createDataEntityMetadataFieldValue",
  method: "post",
  path,
  summary: "Give an entity values of fields by name and type; missing fields are made",
  access: onEntity("DATA_ENTITY_CUSTOM_METADATA_CREATE"),
  activity: ["CUSTOM_METADATA_CREATED"],
  params: z.object(entity),
  body: MetadataFieldValueForm,
  responses: {
    200: { description: "The values, in the order of the form", schema: MetadataFieldValueList },
  },
});

const updateSpec = operation({
  ...ofEntity,
  id: "upsertDataEntityMetadataFieldValue",
  method: "put",
  path: one,
  summary: "Change a value that people gave an entity",
  access: onEntity("DATA_ENTITY_CUSTOM_METADATA_UPDATE"),
  activity: ["CUSTOM_METADATA_UPDATED"],
  params: value,
  body: MetadataFieldValueUpdateForm,
  responses: { 200: { description: "The value", schema: MetadataFieldValue } },
});

const deleteSpec = operation({
  ...ofEntity,
  id: "deleteDataEntityMetadataFieldValue",
  method: "delete",
  path: one,
  summary: "Take a value that people gave an entity",
  access: onEntity("DATA_ENTITY_CUSTOM_METADATA_DELETE"),
  activity: ["CUSTOM_METADATA_DELETED"],
  params: value,
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

interface ValueParams {
  data_entity_id: number;
  metadata_field_id: number;
}
const refOf = (params: ValueParams): service.ValueRef => ({
  entityId: params.data_entity_id,
  fieldId: params.metadata_field_id,
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
        ok(await service.updateValue(context, actor, refOf(params), body.value)),
    ),
    serve(deleteSpec, ({ params, actor }) => service.deleteValue(context, actor, refOf(params))),
    serve(
      fieldsSpec,
      ({ query }) => service.listFields(context, query.query),
    ),
  ];
}
