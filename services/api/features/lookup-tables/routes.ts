import type { Context } from "#platform/context.ts";
import { streamedBody } from "#platform/http/streamed.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { noContent, ok, okJson } from "#platform/operations/reply.ts";
import { openAccess } from "#services/api/access/service.ts";
import * as rows from "#services/api/features/lookup-tables/row-operations.ts";
import * as service from "#services/api/features/lookup-tables/service.ts";
import * as tables from "#services/api/features/lookup-tables/table-operations.ts";
import { familyRoutes } from "#services/api/search/routes.ts";

type Deps = Context & { store: service.LookupStore };

/** The operations on lookup tables, their columns and rows, and their search. */
export function lookupTableRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  const deps = { ...context, store: new service.LookupStore(context) };
  return [
    ...tableRoutes(deps),
    ...rowRoutes(deps),
    ...fileRoutes(deps, authorizer),
    ...familyRoutes(context, service.lookupSearch),
  ];
}

function tableRoutes(deps: Deps): Route[] {
  return [
    serve(
      tables.create,
      async ({ body, actor }) => okJson(await service.createTableIn(deps, actor, body)),
    ),
    serve(
      tables.read,
      async ({ params }) => okJson(await service.readTable(deps, params.lookup_table_id)),
    ),
    serve(
      tables.update,
      async ({ params, body, actor }) =>
        okJson(await service.updateTable(deps, actor, params.lookup_table_id, body)),
    ),
    serve(tables.remove, async ({ params, actor }) => {
      await service.deleteTable(deps, actor, params.lookup_table_id);
      return noContent();
    }),
    serve(
      tables.addColumns,
      async ({ params, body, actor }) =>
        okJson(await service.addColumns(deps, actor, params.lookup_table_id, body)),
    ),
    serve(
      tables.readColumn,
      async ({ params: { lookup_table_id: id, column_id } }) =>
        okJson(await service.readColumn(deps, id, column_id)),
    ),
    serve(
      tables.changeColumn,
      async ({ params: { lookup_table_id: id, column_id }, body, actor }) =>
        okJson(await service.changeColumn(deps, actor, id, column_id, body)),
    ),
    serve(tables.removeColumn, async ({ params: { lookup_table_id: id, column_id }, actor }) => {
      await service.removeColumn(deps, actor, id, column_id);
      return noContent();
    }),
  ];
}

function rowRoutes(deps: Deps): Route[] {
  return [
    serve(
      rows.add,
      async ({ params, body }) => okJson(await service.addRows(deps, params.lookup_table_id, body)),
    ),
    serve(
      rows.replace,
      async ({ params: { lookup_table_id: id, row_id }, body }) =>
        okJson(await service.replaceRow(deps, id, row_id, body)),
    ),
    serve(rows.remove, async ({ params: { lookup_table_id: id, row_id } }) => {
      await service.removeRow(deps, id, row_id);
      return noContent();
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
      return okJson(await service.readRows(deps.db, deps.store, id, page));
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
