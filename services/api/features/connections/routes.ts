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

const common = { tag: "connection" };
const all = "/api/connections";
const one = `${all}/{connection_id}`;
const params = z.object({ connection_id: idParam("connection_id") });
const runParams = z.object({ run_id: idParam("run_id") });
const view = { permission: "CONNECTION_VIEW", on: "MANAGEMENT" } as const;
const manage = { permission: "CONNECTION_MANAGE", on: "MANAGEMENT" } as const;
const activity = { none: "the feed records changes of entities; a connection is not one" };
const aConnection = {
  200: { description: "The connection, without its secrets", schema: Connection },
};
const aRun = { 200: { description: "The run", schema: ConnectionRun } };

const connectorsSpec = operation({
  ...common,
  id: "getConnectors",
  method: "get",
  path: "/api/connectors",
  summary: "The kinds of sources that can be connected, with the schemas of their settings",
  access: view,
  responses: { 200: { description: "All of them", schema: ConnectorList } },
});

const listSpec = operation({
  ...common,
  id: "getConnections",
  method: "get",
  path: all,
  summary: "Connections by name, each with its last run",
  access: view,
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: ConnectionList } },
});

const createSpec = operation({
  ...common,
  id: "createConnection",
  method: "post",
  path: all,
  summary: "Create a connection and its data source; it runs immediately unless it is paused",
  access: manage,
  activity,
  body: ConnectionForm,
  responses: aConnection,
});

const getSpec = operation({
  ...common,
  id: "getConnection",
  method: "get",
  path: one,
  summary: "One connection",
  access: view,
  params,
  responses: aConnection,
});

const updateSpec = operation({
  ...common,
  id: "updateConnection",
  method: "put",
  path: one,
  summary: "Change a connection; a secret that is omitted is kept, null removes it",
  access: manage,
  activity,
  params,
  body: ConnectionUpdateForm,
  responses: aConnection,
});

const deleteSpec = operation({
  ...common,
  id: "deleteConnection",
  method: "delete",
  path: one,
  summary: "Delete a connection and its history; its data source and assets stay",
  access: manage,
  activity,
  params,
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
    ...common,
    id,
    method: "post",
    path: `${one}/${path}`,
    summary: `${summary}; the run is answered while it waits, or one that waits already`,
    access: manage,
    activity,
    params,
    responses: aRun,
  }),
}));

const runsSpec = operation({
  ...common,
  id: "getConnectionRuns",
  method: "get",
  path: `${one}/runs`,
  summary: "Runs of a connection, newest first",
  access: view,
  params,
  query: z.object(pageQueryWithDefaults),
  responses: { 200: { description: "One page", schema: ConnectionRunList } },
});

const runSpec = operation({
  ...common,
  id: "getConnectionRun",
  method: "get",
  path: "/api/connection-runs/{run_id}",
  summary: "One run; its counts grow while it is at work",
  access: view,
  params: runParams,
  responses: aRun,
});

const cancelSpec = operation({
  ...common,
  id: "cancelConnectionRun",
  method: "post",
  path: "/api/connection-runs/{run_id}/cancel",
  summary: "Cancel a run; one at work ends within two seconds",
  access: manage,
  activity,
  params: runParams,
  responses: aRun,
});

/** The operations on connections. */
export function connectionRoutes(context: Context): Route[] {
  return [
    serve(connectorsSpec, () => ok(service.listConnectors(context))),
    serve(listSpec, ({ query }) => service.listConnections(context, query)),
    serve(
      createSpec,
      ({ body, actor }) => service.createConnection(context, actor, body),
    ),
    serve(
      getSpec,
      ({ params }) => service.getConnection(context, params.connection_id),
    ),
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
    serve(
      runsSpec,
      ({ params, query }) => service.listRuns(context, params.connection_id, query),
    ),
    serve(runSpec, ({ params }) => service.getRun(context, params.run_id)),
    serve(
      cancelSpec,
      ({ params, actor }) => service.cancelRun(context, actor, params.run_id),
    ),
  ];
}
