import { z } from "@hono/zod-openapi";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { pageQuery, pageWindow } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { myNeighbours, myObjects } from "#services/api/features/owned/service.ts";

function myList(id: string, path: string, summary: string) {
  return operation({
    id,
    method: "get",
    path,
    tag: "dataEntity",
    summary,
    access: "signed-in",
    query: z.object(pageQuery),
    responses: { 200: { description: "A page of entities", schema: DataEntityRefList } },
  });
}

const my = myList("getMyObjects", "/api/dataentities/my", "Entities that the caller owns");
const myUpstream = myList(
  "getMyObjectsWithUpstream",
  "/api/dataentities/my/upstream",
  "Entities one hop upstream of what the caller owns",
);
const myDownstream = myList(
  "getMyObjectsWithDownstream",
  "/api/dataentities/my/downstream",
  "Entities one hop downstream of what the caller owns",
);

/** The `my` operations: what the caller owns, and its direct neighbours. */
export function ownedRoutes(context: Context): Route[] {
  return [
    serve(my, ({ query, actor }) => myObjects(context, actor, pageWindow(query))),
    serve(myUpstream, ({ query, actor }) => {
      return myNeighbours(context, actor, "upstream", pageWindow(query));
    }),
    serve(myDownstream, ({ query, actor }) => {
      return myNeighbours(context, actor, "downstream", pageWindow(query));
    }),
  ];
}
