import { z } from "@hono/zod-openapi";
import { TagList } from "#contract/catalogue/common.ts";
import { EnumValueList } from "#contract/catalogue/dataset.ts";
import { LinkedTerm } from "#contract/catalogue/terms.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { fieldOfPath } from "#services/api/access/resources.ts";
import {
  BulkEnumValueForm,
  FieldDescription,
  FieldDescriptionForm,
  FieldTagsForm,
  FieldTermForm,
} from "#services/api/features/dataset-fields/schemas.ts";
import * as service from "#services/api/features/dataset-fields/service.ts";
import { InternalName, InternalNameForm } from "#services/api/features/descriptions/service.ts";

const field = { dataset_field_id: idParam("dataset_field_id") };
const common = { tag: "datasetField", params: z.object(field) };
const one = "/api/datasetfields/{dataset_field_id}";
const onField = { on: "DATA_ENTITY", of: fieldOfPath } as const;

const describeSpec = operation({
  ...common,
  id: "updateDatasetFieldDescription",
  method: "put",
  path: `${one}/description`,
  summary: "Set the description of an entity, in Markdown; blank or null removes it",
  access: { ...onField, permission: "DATASET_FIELD_DESCRIPTION_UPDATE" },
  activity: ["DATASET_FIELD_DESCRIPTION_UPDATED"],
  body: FieldDescriptionForm,
  responses: {
    200: { description: "The description, and all terms of the field", schema: FieldDescription },
  },
});

const nameSpec = operation({
  ...common,
  id: "updateDatasetFieldInternalName",
  method: "put",
  path: `${one}/name`,
  summary: "Set the display name of a field; blank or null removes it",
  access: { ...onField, permission: "DATASET_FIELD_INTERNAL_NAME_UPDATE" },
  activity: ["DATASET_FIELD_INTERNAL_NAME_UPDATED"],
  body: InternalNameForm,
  responses: { 200: { description: "The name", schema: InternalName } },
});

const tagsSpec = operation({
  ...common,
  id: "updateDatasetFieldTags",
  method: "put",
  path: `${one}/tags`,
  summary: "Set the tags that a field has by hand; missing ones are made, those of collectors stay",
  access: { ...onField, permission: "DATASET_FIELD_TAGS_UPDATE" },
  activity: ["DATASET_FIELD_TAGS_UPDATED"],
  body: FieldTagsForm,
  responses: { 200: { description: "All tags of the field", schema: TagList } },
});

const valuesSpec = operation({
  ...common,
  id: "getEnumValues",
  method: "get",
  path: `${one}/enum_values`,
  summary: "The values that a field may have",
  access: "signed-in",
  responses: { 200: { description: "Values of collectors and of people", schema: EnumValueList } },
});

const putValuesSpec = operation({
  ...common,
  id: "createEnumValue",
  method: "post",
  path: `${one}/enum_values`,
  summary: "Set the values that people give a field; those of collectors stay",
  access: { ...onField, permission: "DATASET_FIELD_ENUMS_UPDATE" },
  activity: ["DATASET_FIELD_VALUES_UPDATED"],
  body: BulkEnumValueForm,
  responses: { 201: { description: "All values of the field", schema: EnumValueList } },
});

const linkSpec = operation({
  ...common,
  id: "addDatasetFieldTerm",
  method: "post",
  path: `${one}/terms`,
  summary: "Link a field with a term",
  access: { ...onField, permission: "DATASET_FIELD_ADD_TERM", dormant: true },
  activity: ["DATASET_FIELD_TERM_ASSIGNMENT_UPDATED"],
  body: FieldTermForm,
  responses: { 200: { description: "The term", schema: LinkedTerm } },
});

const unlinkSpec = operation({
  ...common,
  id: "deleteTermFromDatasetField",
  method: "delete",
  path: `${one}/terms/{term_id}`,
  summary: "Take a link with a term; one that the description mentions stays",
  access: { ...onField, permission: "DATASET_FIELD_DELETE_TERM", dormant: true },
  activity: ["DATASET_FIELD_TERM_ASSIGNMENT_UPDATED"],
  params: z.object({ ...field, term_id: idParam("term_id") }),
  responses: { 204: { description: "Taken" } },
});

/** The operations on what people write about dataset fields. */
export function datasetFieldRoutes(context: Context): Route[] {
  return [
    serve(
      describeSpec,
      ({ params: { dataset_field_id: id }, body, actor }) =>
        service.describeField(context, actor, id, body.description),
    ),
    serve(nameSpec, async ({ params: { dataset_field_id: id }, body, actor }) => {
      const name = await service.nameField(context, actor, id, body.internal_name);
      return ok({ internal_name: name ?? "" });
    }),
    serve(
      tagsSpec,
      ({ params: { dataset_field_id: id }, body, actor }) =>
        service.tagField(context, actor, id, body.tags ?? null),
    ),
    serve(
      valuesSpec,
      ({ params: { dataset_field_id: id } }) => service.listEnumValues(context, id),
    ),
    serve(putValuesSpec, async ({ params: { dataset_field_id: id }, body, actor }) => {
      const json = await service.putEnumValues(context, actor, id, body.items ?? null);
      return { status: 201, json };
    }),
    serve(
      linkSpec,
      ({ params: { dataset_field_id: id }, body, actor }) =>
        service.linkTerm(context, actor, id, body.term_id),
    ),
    serve(
      unlinkSpec,
      ({ params, actor }) =>
        service.unlinkTerm(context, actor, params.dataset_field_id, params.term_id),
    ),
  ];
}
