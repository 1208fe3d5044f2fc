import { z } from "@hono/zod-openapi";
import { LookupTableRowList } from "#contract/catalogue/lookup-tables.ts";
import { idParam, pageQuery } from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";
import { exportFormats } from "#services/api/features/lookup-tables/files/export.ts";
import { importModes } from "#services/api/features/lookup-tables/files/import.ts";
import * as forms from "#services/api/features/lookup-tables/schemas.ts";

const lookup_table_id = idParam("lookup_table_id");
const rows = {
  tag: "referenceData",
  path: "/api/referencedata/table/{lookup_table_id}/data",
  params: z.object({ lookup_table_id }),
  activity: { none: "rows are data, not part of the activity feed" },
};
const row = {
  ...rows,
  path: `${rows.path}/{row_id}`,
  params: z.object({ lookup_table_id, row_id: idParam("row_id") }),
};
const page = (description: string) => ({ 200: { description, schema: LookupTableRowList } });

const choice = <const T extends readonly [string, ...string[]]>(name: string, values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` })
    .openapi({ param: { name, in: "query", required: false } });

/** A page, or with `format` all rows; then without a page. */
const pageOrFile = z.object({
  page: pageQuery.page.optional(),
  size: pageQuery.size.optional(),
  format: choice("format", exportFormats).optional(),
}).superRefine(({ format, ...page }, context) => {
  for (const name of ["page", "size"] as const) {
    if ((page[name] === undefined) !== (format === undefined)) continue;
    const message = format ? "must not be given with format" : "is required without format";
    context.addIssue({ code: "custom", path: [name], message });
  }
});

export const read = operation({
  ...rows,
  id: "getLookupTableRowList",
  method: "get",
  summary:
    "Rows of a lookup table: a page, the newest first, or with `format` all as a file, the " +
    "oldest first",
  access: "signed-in",
  query: pageOrFile,
  responses: {
    200: {
      description: "One page; or the rows as they were at one time, streamed",
      schema: LookupTableRowList,
      textTypes: ["text/csv", "application/x-ndjson"],
      headers: { "Content-Disposition": "Of a file: a name for it" },
    },
  },
});

export const add = operation({
  ...rows,
  id: "addDataToLookupTable",
  method: "post",
  summary: "Add rows to a lookup table",
  access: { permission: "LOOKUP_TABLE_DATA_CREATE", on: "MANAGEMENT" },
  body: forms.LookupTableRowForms,
  responses: page("The first page of 50 rows"),
});

export const replace = operation({
  ...row,
  id: "updateLookupTableRow",
  method: "patch",
  summary:
    "Replace all cells of a row; what is left out is empty then. The row comes first in the answer",
  access: { permission: "LOOKUP_TABLE_DATA_UPDATE", on: "MANAGEMENT" },
  body: forms.LookupTableRowForm,
  responses: page("The row, then the newest others, 50 rows in all"),
});

export const remove = operation({
  ...row,
  id: "deleteLookupTableRow",
  method: "delete",
  summary: "Remove a row",
  access: { permission: "LOOKUP_TABLE_DATA_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "It is gone" } },
});

export const importAll = operation({
  ...rows,
  id: "importLookupTable",
  method: "post",
  path: `${rows.path}/import`,
  summary: "Add the rows of a CSV file, or replace all rows with them: all or nothing",
  access: { permission: "LOOKUP_TABLE_DATA_CREATE", on: "MANAGEMENT" },
  query: z.object({ mode: choice("mode", importModes).default(importModes[0]) }),
  bodyType: "csv",
  rawBody: z.string().openapi({ description: "Its first line names columns of the table" }),
  responses: {
    200: { description: "What was written", schema: forms.LookupTableImport },
  },
  errors: [404, 413],
});
