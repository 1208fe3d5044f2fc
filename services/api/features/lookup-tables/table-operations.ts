import { z } from "@hono/zod-openapi";
import { LookupTable, LookupTableField } from "#contract/catalogue/lookup-tables.ts";
import { idParam } from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";
import * as forms from "#services/api/features/lookup-tables/schemas.ts";

const common = { tag: "referenceData", document: "platform" as const };
const tablePath = "/api/referencedata/table/{lookup_table_id}";
const columnPath = `${tablePath}/columns/{column_id}`;
const table = z.object({ lookup_table_id: idParam("lookup_table_id") });
const column = z.object({
  lookup_table_id: idParam("lookup_table_id"),
  column_id: idParam("column_id"),
});
const theTable = { 200: { description: "The table with its columns", schema: LookupTable } };
const structure = { none: "see the versions of the dataset's structure" };

export const create = operation({
  ...common,
  id: "createReferenceTable",
  method: "post",
  path: "/api/referencedata/table",
  summary: "Make a lookup table; a namespace that is not there is made",
  access: { permission: "LOOKUP_TABLE_CREATE", on: "MANAGEMENT" },
  activity: ["DATA_ENTITY_CREATED"],
  body: forms.LookupTableForm,
  responses: theTable,
});

export const read = operation({
  ...common,
  id: "getLookupTableById",
  method: "get",
  path: tablePath,
  summary: "A lookup table with its columns",
  access: "signed-in",
  params: table,
  responses: theTable,
  errors: [404],
});

export const update = operation({
  ...common,
  id: "updateLookupTable",
  method: "put",
  path: tablePath,
  summary: "Name a lookup table, and describe it unless the form leaves that out",
  access: { permission: "LOOKUP_TABLE_UPDATE", on: "MANAGEMENT" },
  activity: ["LOOKUP_TABLE_RENAMED"],
  params: table,
  body: forms.LookupTableUpdateForm,
  responses: theTable,
  errors: [404],
});

export const remove = operation({
  ...common,
  id: "deleteLookupTable",
  method: "delete",
  path: tablePath,
  summary: "Delete a lookup table; its data entity can be restored, and brings it back",
  access: { permission: "LOOKUP_TABLE_DELETE", on: "MANAGEMENT" },
  activity: ["DATA_ENTITY_STATUS_UPDATED"],
  params: table,
  responses: { 204: { description: "It is deleted" } },
  errors: [404],
});

export const addColumns = operation({
  ...common,
  id: "createColumnsForLookupTable",
  method: "post",
  path: `${tablePath}/columns`,
  summary: "Add columns to a lookup table",
  access: { permission: "LOOKUP_TABLE_DEFINITION_CREATE", on: "MANAGEMENT" },
  activity: structure,
  params: table,
  body: forms.LookupTableFieldForms,
  responses: theTable,
  errors: [404],
});

export const readColumn = operation({
  ...common,
  id: "getLookupTableField",
  method: "get",
  path: columnPath,
  summary: "A column of a lookup table",
  access: "signed-in",
  params: column,
  responses: { 200: { description: "The column", schema: LookupTableField } },
  errors: [404],
});

export const changeColumn = operation({
  ...common,
  id: "updateLookupTableField",
  method: "patch",
  path: columnPath,
  summary:
    "Change a column, but for its type and what the form leaves out; refused when rows do not fit",
  access: { permission: "LOOKUP_TABLE_DEFINITION_UPDATE", on: "MANAGEMENT" },
  activity: structure,
  params: column,
  body: forms.LookupTableFieldUpdateForm,
  responses: theTable,
  errors: [404],
});

export const removeColumn = operation({
  ...common,
  id: "deleteLookupTableField",
  method: "delete",
  path: columnPath,
  summary: "Remove a column with its values",
  access: { permission: "LOOKUP_TABLE_DEFINITION_DELETE", on: "MANAGEMENT" },
  activity: structure,
  params: column,
  responses: { 204: { description: "It is gone" } },
  errors: [404],
});
