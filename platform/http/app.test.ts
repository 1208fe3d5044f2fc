import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { idListQuery, pageQuery } from "#contract/http.ts";
import { notFound, unavailable } from "#kit/errors.ts";
import { thingSpec } from "#platform/http/testing/operations.ts";
import { ok, operation, serve } from "#platform/operations/declare.ts";
import { testApi } from "#test/support/http/api.ts";

const pagedThing = operation({
  ...thingSpec,
  query: z.object({ ...pageQuery, ids: idListQuery("ids") }),
  responses: { 200: { description: "The thing", schema: z.unknown() } },
  errors: [404],
});
const special = operation({
  id: "getSpecial",
  method: "get",
  path: "/api/things/special",
  tag: "thing",
  document: "platform",
  summary: "A literal segment",
  access: "signed-in",
  responses: { 200: { description: "Special", schema: z.unknown() } },
});
const make = operation({
  id: "makeThing",
  method: "post",
  path: "/api/things",
  tag: "thing",
  document: "platform",
  summary: "Makes one",
  access: { permission: "TAG_CREATE", on: "MANAGEMENT" },
  activity: { none: "a test" },
  body: z.object({ name: z.string(), fields: z.array(z.object({ kind: z.enum(["a", "b"]) })) }),
  responses: { 200: { description: "Made", schema: z.unknown() } },
});

const api = testApi([
  serve(pagedThing, ({ params, query }) => {
    if (params.thing_id === 404) return Promise.reject(notFound("thing", 404));
    if (params.thing_id === 500) return Promise.reject(new Error("secret detail"));
    if (params.thing_id === 503) return Promise.reject(unavailable("The graph is down", 7));
    return Promise.resolve(ok({ id: params.thing_id, ...query }));
  }),
  serve(special, () => Promise.resolve(ok("special"))),
  serve(make, ({ body }) => Promise.resolve(ok(body))),
]);

const source = operation({
  id: "makeSource",
  method: "put",
  path: "/api/sources",
  tag: "thing",
  document: "platform",
  summary: "Takes a CATRN in its query and in its body",
  access: "signed-in",
  activity: { none: "a test" },
  query: z.object({ catrn: z.string().optional() }),
  body: z.object({ catrn: z.string().optional(), metadata: z.record(z.string(), z.string()) }),
  responses: { 200: { description: "What was taken", schema: z.unknown() } },
});
const spelling = testApi([
  serve(source, ({ query, body }) => Promise.resolve(ok({ query, body }))),
]);

describe("acceptUpstreamSpelling", () => {
  it("takes query names and keys of bodies, and leaves free maps alone", async () => {
    const answer = await spelling.put("/api/sources?oddrn=%2F%2Fa%20b&x=1", {
      oddrn: "//c",
      metadata: { oddrn: "kept" },
    });
    expect(answer.json).toEqual({
      query: { catrn: "//a b" },
      body: { catrn: "//c", metadata: { oddrn: "kept" } },
    });
  });
  it("still answers 400 for a body that is no JSON", async () => {
    expect((await spelling.put("/api/sources", "{oddrn")).status).toBe(400);
  });
});

describe("createApp", () => {
  it("answers parsed parameters", async () => {
    const answer = await api.get("/api/things/7?page=2&size=10&ids=1,2&ids=3");
    expect(answer.json).toEqual({ id: 7, page: 2, size: 10, ids: [1, 2, 3] });
  });
  it("tries a literal segment before a parameter", async () => {
    expect((await api.get("/api/things/special")).json).toBe("special");
  });
  it.each([
    ["/api/things/x?page=1&size=1", "thing_id", "must be an integer"],
    ["/api/things/1?size=1", "page", "is required"],
    ["/api/things/1?page=0&size=1", "page", "from 1"],
    ["/api/things/1?page=1&size=1001", "size", "to 1000"],
    ["/api/things/1?page=1&size=1&ids=1,x", "ids", "must be integers"],
  ])("answers 400 naming the field: %s", async (path, field, message) => {
    const answer = await api.get(path);
    expect(answer.status).toBe(400);
    expect(answer.json.details[0].field).toBe(field);
    expect(answer.json.details[0].message).toContain(message);
  });
  it("answers 400 with the path of a field in the body", async () => {
    const answer = await api.post("/api/things", {
      name: "x",
      fields: [{ kind: "a" }, { kind: "z" }],
    });
    expect(answer.status).toBe(400);
    expect(answer.json.details[0].field).toBe("fields[1].kind");
  });
  it.each(["{", "", "[]", "null"])("answers 400 for the body %s", async (body) => {
    const answer = await api.post("/api/things", body);
    expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
  });
  it("answers 404 for a missing thing and for an unknown path, in JSON", async () => {
    expect((await api.get("/api/things/404?page=1&size=1")).json.code).toBe("USR002");
    const unknown = await api.get("/nowhere");
    expect([unknown.status, unknown.json.code]).toEqual([404, "USR002"]);
  });
  it("answers 500 without the internal message", async () => {
    const answer = await api.get("/api/things/500?page=1&size=1");
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("secret");
  });
  it("answers 503 with Retry-After", async () => {
    const answer = await api.get("/api/things/503?page=1&size=1");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(answer.json.retryable).toBe(true);
  });
});
