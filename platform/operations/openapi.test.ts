import { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { type Access, operation, type Route, serve } from "#platform/operations/declare.ts";
import { openApiOf } from "#platform/operations/openapi.ts";

function routeOf(
  access: Access<{ id: string }>,
  at: number,
): Route {
  const spec = operation({
    id: `getThing${at}`,
    method: "get",
    path: `/api/things/${at}/{id}`,
    tag: "thing",
    document: "platform",
    summary: "A thing",
    access,
    params: z.object({ id: z.string() }),
    responses: { 204: { description: "It" } },
  });
  return serve(spec, () => {});
}

interface OpenApiDocument {
  paths: Record<string, { get: Record<string, unknown> & { responses: object } }>;
  components: { securitySchemes?: Record<string, unknown> };
}

function documented(...access: Parameters<typeof routeOf>[0][]) {
  const document = openApiOf(access.map(routeOf), {
    title: "T",
    version: "1",
  }) as unknown as OpenApiDocument;
  const operations = Object.values(document.paths).map(({ get }) => ({
    security: (get.security as object[] | undefined)?.map((one) => Object.keys(one).join()),
    access: Object.fromEntries(Object.entries(get).filter(([name]) => name.startsWith("x-access"))),
    refusals: Object.keys(get.responses).filter((status) => /40[13]/.test(status)),
  }));
  return { schemes: Object.keys(document.components.securitySchemes ?? {}), operations };
}

const ofPeople = ["", "session", "serviceKey", "personalToken"];

it("tells of every operation who may call it, and with what", () => {
  const found = documented(
    "anonymous",
    "signed-in",
    "collector",
    { permission: "TAG_CREATE", on: "MANAGEMENT" },
    {
      permission: "DATA_ENTITY_ADD_TERM",
      on: "DATA_ENTITY",
      of: () => ({ kind: "data_entity", id: 1 }),
      dormant: true,
    },
  );
  expect(found.schemes).toEqual(["session", "serviceKey", "personalToken", "collectorToken"]);
  const both = ["401", "403"];
  expect(found.operations).toEqual([
    { security: undefined, access: { "x-access": "anonymous" }, refusals: [] },
    { security: ofPeople, access: { "x-access": "signed-in" }, refusals: both },
    { security: ["", "collectorToken"], access: { "x-access": "collector" }, refusals: ["401"] },
    {
      security: ofPeople,
      access: { "x-access": "TAG_CREATE", "x-access-on": "MANAGEMENT" },
      refusals: both,
    },
    {
      security: ofPeople,
      access: {
        "x-access": "DATA_ENTITY_ADD_TERM",
        "x-access-on": "DATA_ENTITY",
        "x-access-dormant": true,
      },
      refusals: both,
    },
  ]);
});

it("names no credential that nothing takes", () => {
  expect(documented("anonymous").schemes).toEqual([]);
  expect(documented("collector").schemes).toEqual(["collectorToken"]);
});
