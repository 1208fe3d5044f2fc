import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { type Actor, anonymous } from "#contract/actor.ts";
import { idParam } from "#contract/http.ts";
import { permissions } from "#contract/permissions.ts";
import { AppError } from "#kit/errors.ts";
import type { AccessRequirement, Authorizer } from "#platform/operations/access.ts";
import { call } from "#platform/operations/call.ts";
import { ok, operation, serve } from "#platform/operations/declare.ts";

const common = {
  method: "put",
  tag: "thing",
  document: "platform",
  summary: "Changes one",
  activity: { none: "a test" },
  responses: { 200: { description: "Changed" } },
} as const;
const change = operation({
  ...common,
  id: "changeThing",
  path: "/api/things/{data_entity_id}",
  access: {
    permission: "DATA_ENTITY_TAGS_UPDATE",
    on: "DATA_ENTITY",
    of: ({ params }) => ({ kind: "data_entity", id: params.data_entity_id }),
  },
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  body: z.object({ name: z.string() }),
});
const request = new Request("http://localhost/");

function fixture(refuse?: AppError) {
  const steps: unknown[] = [];
  const authorizer: Authorizer = {
    authorize(actor: Actor, needed: AccessRequirement) {
      steps.push([actor.name, needed]);
      return refuse ? Promise.reject(refuse) : Promise.resolve();
    },
    authorizeEntities: () => Promise.resolve(),
    permissionsOf: () => Promise.resolve(permissions),
    permissionsOn: () => Promise.resolve(permissions),
  };
  const route = serve(change, ({ params, body, actor }) => {
    steps.push("handled");
    return Promise.resolve(ok([params.data_entity_id, body.name, actor.name]));
  });
  const ada: Actor = { kind: "user", name: "ada", provider: "ldap" };
  const run = (params: unknown, body: unknown) =>
    call(route, { request, params, body }, ada, authorizer);
  return { run, steps };
}

describe("call", () => {
  it("authorizes on the resource that the path names, then handles", async () => {
    const { run, steps } = fixture();
    expect((await run({ data_entity_id: "7" }, { name: "x" })).body).toEqual([7, "x", "ada"]);
    const resource = { kind: "data_entity", id: 7 };
    expect(steps).toEqual([
      ["ada", "signed-in"],
      ["ada", { permission: "DATA_ENTITY_TAGS_UPDATE", resource }],
      "handled",
    ]);
  });

  it("names every wrong field", async () => {
    const { run, steps } = fixture();
    await expect(run({ data_entity_id: "7" }, {})).rejects.toMatchObject({
      status: 400,
      details: [{ field: "name", message: "is required" }],
    });
    expect(steps).not.toContain("handled");
  });

  it("authorizes nothing on a path that is not valid", async () => {
    const { run, steps } = fixture();
    await expect(run({ data_entity_id: "x" }, { name: "x" })).rejects.toMatchObject({
      status: 400,
    });
    expect(steps).toEqual([["ada", "signed-in"]]);
  });

  it("reads nothing else of a request that is not allowed", async () => {
    const { run } = fixture(new AppError("No", { status: 403, code: "USR001" }));
    await expect(run({ data_entity_id: "7" }, {})).rejects.toMatchObject({ status: 403 });
  });

  it("handles nothing for whoever may not", async () => {
    const { run, steps } = fixture(new AppError("No", { status: 403, code: "USR001" }));
    await expect(run({ data_entity_id: "7" }, { name: "x" })).rejects.toMatchObject({
      status: 403,
    });
    expect(steps).not.toContain("handled");
  });

  it("tells the authorizer what needs no permission as well", async () => {
    const read = operation({
      ...common,
      id: "readThings",
      path: "/api/things",
      access: "signed-in",
    });
    const required: AccessRequirement[] = [];
    const authorizer = {
      authorize: (_: Actor, needed: AccessRequirement) =>
        Promise.resolve(void required.push(needed)),
      authorizeEntities: () => Promise.resolve(),
      permissionsOf: () => Promise.resolve([]),
      permissionsOn: () => Promise.resolve([]),
    };
    const route = serve(read, () => Promise.resolve(ok("read")));
    await call(route, { request }, anonymous, authorizer);
    expect(required).toEqual(["signed-in"]);
  });
});

it("an operation cannot ask for a permission that its resource does not have", () => {
  const declared = () =>
    operation({
      ...common,
      id: "wrong",
      path: "/api/wrong",
      access: { permission: "DATA_ENTITY_TAGS_UPDATE", on: "MANAGEMENT" },
    });
  expect(declared).toThrow("DATA_ENTITY_TAGS_UPDATE is no permission on MANAGEMENT");
});
