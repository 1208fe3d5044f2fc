// Operations that the tests of the HTTP application call.
import { z } from "@hono/zod-openapi";
import { idParam } from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";

/** The declaration that all forms of the operation share. */
export const thingSpec = {
  id: "getThing",
  method: "get" as const,
  path: "/api/things/{thing_id}",
  tag: "thing",
  document: "platform" as const,
  summary: "One thing",
  access: "signed-in" as const,
  params: z.object({ thing_id: idParam("thing_id") }),
};

export const thing = operation({
  ...thingSpec,
  responses: { 200: { description: "The thing" } },
});

export const make = operation({
  id: "makeThings",
  method: "put",
  path: "/api/things",
  tag: "thing",
  document: "platform",
  summary: "Makes some; every member may be left out",
  access: "signed-in",
  activity: { none: "a test" },
  body: z.object({
    things: z.array(z.object({ a: z.string(), b: z.string(), c: z.string() })).optional(),
  }),
  responses: { 200: { description: "How many" } },
  secret: true,
});
export const raw = operation({
  id: "takeThings",
  method: "post",
  path: "/ingestion/things",
  tag: "thing",
  document: "ingestion",
  summary: "Takes some",
  access: "anonymous",
  activity: { none: "a test" },
  rawBody: z.object({}),
  responses: { 200: { description: "Taken" } },
});
