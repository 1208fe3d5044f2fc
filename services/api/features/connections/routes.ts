import { z } from "@hono/zod-openapi";
import { listQuery } from "#contract/catalogue/inputs.ts";
import {
  Connection,
  ConnectionForm,
  ConnectionList,
  ConnectionRun,
  ConnectionRunList,
  ConnectionUpdateForm,
  ConnectorList,
} from "#contract/connections/connection.ts";
import { idParam, pageQueryWithDefaults } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "./service.ts";

const all = {
  tag: "connection",
  path: "/api/connections",
  activity: { none: "the feed records changes of entities; a connection is not one" },
};
const one = {
  ...all,
  path: "/api/connections/{connection_id}",
  params: z.object({ connection_id: idParam("connection_id") }),
};
const oneRun = {
  ...all,
  path: "/api/connection-runs/{run_id}",
  params: z.object({ run_id: idParam("run_id") }),
};
const view = { permission: "CONNECTION_VIEW", on: "MANAGEMENT" } as const;
const manage = { permission: "CONNECTION_MANAGE", on: "MANAGEMENT" } as const;
const aConnection = {
  200: { description: "The connection, without its secrets", schema: Connection },
};
const aRun = { 200: { description: "The run", schema: ConnectionRun } };

const connectorsSpec = operation({
  ...all,
  id: "getConnectors",
  method: "get",
  path: "/api/connectors",
  summary: "The kinds of sources that can be connected, with the schemas of their settings",
  access: view,
  responses: { 200: { description: "All of them", schema: ConnectorList } },
});

const listSpec = operation({
  ...all,
  id: "getConnections",
  method: "get",
  summary: "Connections by name, each with its last run",
  access: view,
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: ConnectionList } },
});

const createSpec = operation({
  ...all,
  id: "createConnection",
  method: "post",
  summary: "Create a connection and its data source; it runs immediately unless it is paused",
  access: manage,
  body: ConnectionForm,
  responses: aConnection,
});

const getSpec = operation({
  ...one,
  id: "getConnection",
  method: "get",
  summary: "One connection",
  access: view,
  responses: aConnection,
});

const updateSpec = operation({
  ...one,
  id: "updateConnection",
  method: "put",
  summary: "Change a connection; a secret that is omitted is kept, null removes it",
  access: manage,
  body: ConnectionUpdateForm,
  responses: aConnection,
});

const deleteSpec = operation({
  ...one,
  id: "deleteConnection",
  method: "delete",
  summary: "Delete a connection and its history; its data source and assets stay",
  access: manage,
  responses: { 204: { description: "Deleted" } },
});

/** The three operations that queue a run. */
const requests = ([
  ["test", "TEST", "testConnection", "Test a connection: reachable, signed in, version, readable"],
  [
    "preview",
    "PREVIEW",
    "previewConnection",
    "Read a source and publish nothing: counts and first names",
  ],
  ["run", "RUN", "runConnection", "Run a connection now"],
] as const).map(([path, kind, id, summary]) => ({
  kind,
  spec: operation({
    ...one,
    id,
    method: "post",
    path: `${one.path}/${path}`,
    summary: `${summary}; the run is answered while it waits, or one that waits already`,
    access: manage,
    responses: aRun,
  }),
}));

const runsSpec = operation({
  ...one,
  id: "getConnectionRuns",
  method: "get",
  path: `${one.path}/runs`,
  summary: "Runs of a connection, newest first",
  access: view,
  query: z.object(pageQueryWithDefaults),
  responses: { 200: { description: "One page", schema: ConnectionRunList } },
});

const runSpec = operation({
  ...oneRun,
  id: "getConnectionRun",
  method: "get",
  summary: "One run; its counts grow while it is at work",
  access: view,
  responses: aRun,
});

const cancelSpec = operation({
  ...oneRun,
  id: "cancelConnectionRun",
  method: "post",
  path: `${oneRun.path}/cancel`,
  summary: "Cancel a run; one at work ends within two seconds",
  access: manage,
  responses: aRun,
});

/** The operations on connections. */
export function connectionRoutes(context: Context): Route[] {
  return [
    serve(connectorsSpec, () => ok(service.listConnectors(context))),
    serve(listSpec, ({ query }) => service.listConnections(context, query)),
    serve(createSpec, ({ body, actor }) => service.createConnection(context, actor, body)),
    serve(getSpec, ({ params }) => service.connectionJson(context.db, params.connection_id)),
    serve(
      updateSpec,
      ({ params, body, actor }) =>
        service.updateConnection(context, actor, params.connection_id, body),
    ),
    serve(
      deleteSpec,
      ({ params, actor }) => service.deleteConnection(context, actor, params.connection_id),
    ),
    ...runRoutes(context),
  ];
}

function runRoutes(context: Context): Route[] {
  return [
    ...requests.map(({ kind, spec }) =>
      serve(
        spec,
        ({ params, actor }) => service.requestRun(context, actor, params.connection_id, kind),
      )
    ),
    serve(runsSpec, ({ params, query }) => service.listRuns(context, params.connection_id, query)),
    serve(runSpec, ({ params }) => service.runJson(context.db, params.run_id)),
    serve(cancelSpec, ({ params, actor }) => service.cancelRun(context, actor, params.run_id)),
  ];
}
