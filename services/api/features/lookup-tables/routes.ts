import { z } from "@hono/zod-openapi";
import { LookupTable, LookupTableField } from "#contract/catalogue/lookup-tables.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { streamedBody } from "#platform/http/body.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { openAccess } from "#services/api/access/service.ts";
import * as rows from "#services/api/features/lookup-tables/row-operations.ts";
import { LookupStore } from "#platform/lookup-store.ts";
import * as service from "#services/api/features/lookup-tables/service.ts";
import { familyRoutes } from "#services/api/search/search.ts";
import * as forms from "#services/api/features/lookup-tables/schemas.ts";

type Deps = Context & { store: LookupStore };

/** The operations on lookup tables, their columns and rows, and their search. */
export function lookupTableRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  const deps = { ...context, store: new LookupStore(context) };
  return [
    ...tableRoutes(deps),
    ...rowRoutes(deps),
    ...fileRoutes(deps, authorizer),
    ...familyRoutes(context, service.lookupSearch),
  ];
}

function tableRoutes(deps: Deps): Route[] {
  return [
    serve(create, ({ body, actor }) => service.createTableIn(deps, actor, body)),
    serve(read, ({ params }) => service.readTable(deps, params.lookup_table_id)),
    serve(update, ({ params, body, actor }) => {
      return service.updateTable(deps, actor, params.lookup_table_id, body);
    }),
    serve(remove, ({ params, actor }) => service.deleteTable(deps, actor, params.lookup_table_id)),
    serve(addColumns, ({ params, body, actor }) => {
      return service.addColumns(deps, actor, params.lookup_table_id, body);
    }),
    serve(readColumn, ({ params: { lookup_table_id: id, column_id } }) => {
      return service.readColumn(deps, id, column_id);
    }),
    serve(changeColumn, ({ params: { lookup_table_id: id, column_id }, body, actor }) => {
      return service.changeColumn(deps, actor, id, column_id, body);
    }),
    serve(removeColumn, ({ params: { lookup_table_id: id, column_id }, actor }) => {
      return service.removeColumn(deps, actor, id, column_id);
    }),
  ];
}

function rowRoutes(deps: Deps): Route[] {
  return [
    serve(rows.add, ({ params, body }) => service.addRows(deps, params.lookup_table_id, body)),
    serve(rows.replace, ({ params: { lookup_table_id: id, row_id }, body }) => {
      return service.replaceRow(deps, id, row_id, body);
    }),
    serve(rows.remove, ({ params: { lookup_table_id: id, row_id } }) => {
      return service.removeRow(deps, id, row_id);
    }),
  ];
}

function fileRoutes(deps: Deps, authorizer: AccessControl["authorizer"]): Route[] {
  const { lookup, postgres } = deps.config.metadata;
  const connections = lookup.url ? lookup["max-connections"] : postgres["max-connections"];
  const slots = service.transferSlots(connections);
  const filesOf = (actor: Caller) => ({ ...deps, slots, caller: callerKey(actor) });
  const limits = { maxBytes: lookup["max-import-size"], timeoutMs: lookup["import-timeout"] };
  return [
    serve(rows.read, async ({ params: { lookup_table_id: id }, query, actor }) => {
      if (query.format) return await service.exportRows(filesOf(actor), id, query.format);
      const page = { page: query.page!, size: query.size! };
      return service.readRows(deps.db, deps.store, id, page);
    }),
    serve(rows.importAll, async ({ params, query, request, actor }) => {
      if (query.mode === "replace") {
        const permission = "LOOKUP_TABLE_DATA_DELETE" as const;
        await authorizer.authorize(actor, { permission, resource: null });
      }
      const body = streamedBody(request, limits);
      return ok(await service.importRows(filesOf(actor), params.lookup_table_id, query.mode, body));
    }),
  ];
}

const common = { tag: "referenceData" };
const lookup_table_id = idParam("lookup_table_id");
const table = {
  ...common,
  path: "/api/referencedata/table/{lookup_table_id}",
  params: z.object({ lookup_table_id }),
};
const column = {
  ...common,
  path: `${table.path}/columns/{column_id}`,
  params: z.object({ lookup_table_id, column_id: idParam("column_id") }),
  activity: { none: "see the versions of the dataset's structure" },
};
const theTable = { 200: { description: "The table with its columns", schema: LookupTable } };

const create = operation({
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

const read = operation({
  ...table,
  id: "getLookupTableById",
  method: "get",
  summary: "A lookup table with its columns",
  access: "signed-in",
  responses: theTable,
});

const update = operation({
  ...table,
  id: "updateLookupTable",
  method: "put",
  summary: "Name a lookup table, and describe it unless the form leaves that out",
  access: { permission: "LOOKUP_TABLE_UPDATE", on: "MANAGEMENT" },
  activity: ["LOOKUP_TABLE_RENAMED"],
  body: forms.LookupTableUpdateForm,
  responses: theTable,
});

const remove = operation({
  ...table,
  id: "deleteLookupTable",
  method: "delete",
  summary: "Delete a lookup table; its data entity can be restored, and brings it back",
  access: { permission: "LOOKUP_TABLE_DELETE", on: "MANAGEMENT" },
  activity: ["DATA_ENTITY_STATUS_UPDATED"],
  responses: { 204: { description: "It is deleted" } },
});

const addColumns = operation({
  ...table,
  id: "createColumnsForLookupTable",
  method: "post",
  path: `${table.path}/columns`,
  summary: "Add columns to a lookup table",
  access: { permission: "LOOKUP_TABLE_DEFINITION_CREATE", on: "MANAGEMENT" },
  activity: column.activity,
  body: forms.LookupTableFieldForms,
  responses: theTable,
});

const readColumn = operation({
  ...column,
  id: "getLookupTableField",
  method: "get",
  summary: "A column of a lookup table",
  access: "signed-in",
  responses: { 200: { description: "The column", schema: LookupTableField } },
});

const changeColumn = operation({
  ...column,
  id: "updateLookupTableField",
  method: "patch",
  summary:
    "Change a column, but for its type and what the form leaves out; refused when rows do not fit",
  access: { permission: "LOOKUP_TABLE_DEFINITION_UPDATE", on: "MANAGEMENT" },
  body: forms.LookupTableFieldUpdateForm,
  responses: theTable,
});

const removeColumn = operation({
  ...column,
  id: "deleteLookupTableField",
  method: "delete",
  summary: "Remove a column with its values",
  access: { permission: "LOOKUP_TABLE_DEFINITION_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "It is gone" } },
});
