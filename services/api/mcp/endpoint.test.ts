import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { badRequest, forbidden, unauthenticated, unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { createApp } from "#platform/http/app.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { ok, operation, serve } from "#platform/operations/declare.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { mcpPages } from "#services/api/mcp/endpoint.ts";
import { maxMessage } from "#services/api/mcp/limits.ts";
import { LineageQueue } from "#services/api/features/lineage/service.ts";
import { tool, type ToolContext } from "#services/api/mcp/tool.ts";
import { callerFrom } from "#test/support/http/caller.ts";

const makePolicy = serve(
  operation({
    id: "makePolicy",
    method: "get",
    path: "/api/made",
    tag: "t",
    document: "platform",
    summary: "s",
    access: { permission: "POLICY_CREATE", on: "MANAGEMENT" },
    responses: { 200: { description: "d" } },
  }),
  () => Promise.resolve(ok({ made: true })),
);

const secret = "password=hunter2 of postgres://db.internal";
const tried = (name: string, answer: (context: ToolContext) => Promise<object>) =>
  tool({
    name,
    title: name,
    description: name,
    input: z.strictObject({ depth: z.number().int().max(20).optional() }),
    output: z.object({}),
    answer: (_, context) => answer(context) as Promise<Record<string, never>>,
  });
const tools = [
  tried("fine", () => Promise.resolve({})),
  tried("broken", () => Promise.reject(new Error(secret))),
  tried("thrown", () => Promise.reject(secret)),
  tried("unmet", () => Promise.reject(badRequest("ref: is the name of several entities"))),
  tried("down", () => Promise.reject(unavailable("The graph is down", 5, new Error(secret)))),
  tried("large", () => Promise.resolve({ text: "x".repeat(50_000) })),
  tried("gated", async ({ ask }) => (await ask.read("makePolicy")).body as object),
  tried("allowed", async ({ ask }) => (await ask.allowed("makePolicy"), {})),
];

const tokens = new Map([["good", "ada"]]);
const access: AccessControl = {
  authenticator: {
    authenticate({ headers }) {
      const given = headers.get("authorization");
      const name = tokens.get(given?.replace("Bearer ", "") ?? "");
      if (given && !name) throw unauthenticated("The token is not known, or has expired");
      return Promise.resolve(name ? callerFrom(name) : { kind: "user", name: null, provider: "" });
    },
  },
  authorizer: {
    authorize({ credential }, needed) {
      if (needed === "anonymous") return Promise.resolve();
      if (!credential) return Promise.reject(unauthenticated("Sign in, or send a token"));
      if (needed === "signed-in") return Promise.resolve();
      return Promise.reject(forbidden("POLICY_CREATE is required"));
    },
    authorizeEntities: () => Promise.resolve(),
    permissionsOf: () => Promise.resolve([]),
    permissionsOn: () => Promise.resolve([]),
  },
};

function serverWith(given: object = {}) {
  const config = Config.parse(given);
  const logged: unknown[] = [];
  const metrics = createMetrics();
  const log = { ...silentLogger, error: (...line: unknown[]) => void logged.push(line) };
  const context = { config, log, metrics, clock: systemClock } as unknown as Context;
  const routes = [makePolicy];
  const pages = mcpPages(context, {
    routes,
    authorizer: access.authorizer,
    lineage: new LineageQueue(context),
    tools,
  });
  const app = createApp({ ...context, access, pages, routes });
  const send = async (body: unknown, headers: Record<string, string> = {}, method = "POST") => {
    const response = await app.request(
      new Request("http://localhost/mcp", {
        method,
        body: method === "GET" ? undefined : typeof body === "string" ? body : JSON.stringify(body),
        headers: {
          authorization: "Bearer good",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const call = async (name: string, given: object = {}) => {
    const { text } = await send(message("tools/call", { name, arguments: given }));
    const { result } = JSON.parse(text);
    return { text: result.content[0].text as string, isError: result.isError ?? false, raw: text };
  };
  return { send, call, logged, metrics };
}

const message = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});

describe("the endpoint for assistants", () => {
  const { send } = serverWith();

  it("counts no call of each tool before the first message, so that a first increase shows", async () => {
    const { content } = await serverWith().metrics.exposition();
    for (const { name } of tools) {
      expect(content).toContain(`tributary_mcp_calls_total{tool="${name}",outcome="ok"} 0`);
    }
  });

  it("takes POST only, at once", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await send("", { accept: "text/event-stream" }, method);
      expect([status, headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
    }
  });

  it("answers 401 with WWW-Authenticate to a caller without a valid token", async () => {
    for (const authorization of ["", "Bearer wrong"]) {
      const { status, headers } = await send(message("tools/list"), { authorization });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe('Bearer realm="Tributary"');
    }
    expect((await send(message("tools/list"))).status).toBe(200);
  });

  it("refuses hosts and origins that are not its own", async () => {
    expect((await send(message("tools/list"), { host: "rebound.example" })).status).toBe(421);
    const origin = "https://evil.example";
    expect((await send(message("tools/list"), { origin })).status).toBe(403);
    expect((await send(message("tools/list"), { origin: "http://localhost:8080" })).status)
      .toBe(200);
  });

  it("refuses what is no message, or too large", async () => {
    const statuses = [
      await send("{"),
      await send("[]"),
      await send([message("tools/list"), message("tools/list")]),
      await send("7"),
      await send(
        message("tools/call", { name: "fine", arguments: { text: "x".repeat(maxMessage) } }),
      ),
      await send("[".repeat(200) + "]".repeat(200)),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400]);
    expect((await send(message("tools/list"), { "content-type": "text/plain" })).status).toBe(415);
  });

  it("is not there when it is switched off", async () => {
    const off = serverWith({ mcp: { enabled: false } });
    expect((await off.send(message("tools/list"))).status).toBe(404);
  });
});

describe("calls of tools", () => {
  const { call, send, logged, metrics } = serverWith();

  it("never tell what was thrown: an id, which the log has with the cause", async () => {
    for (const name of ["broken", "thrown", "large"]) {
      logged.length = 0;
      const { text, isError, raw } = await call(name);
      expect(isError).toBe(true);
      expect(raw).not.toContain("hunter2");
      const [, id] = /^internal error, id ([\w-]+)/.exec(text)!;
      expect(logged).toMatchObject([["MCP tool failed", { tool: name, id }]]);
    }
  });

  it("tell a client what it can fix, without causes", async () => {
    expect(await call("unmet")).toMatchObject({
      isError: true,
      text: "ref: is the name of several entities",
    });
    const down = await call("down");
    expect([down.text, down.isError]).toEqual(["The graph is down; try again in 5 s", true]);
    expect(down.raw).not.toContain("hunter2");
    const invalid = await call("fine", { depth: 21, deep: true });
    expect(invalid.text).toMatch(/^Invalid arguments: .*depth: /);
    expect(invalid.text).toContain("deep");
  });

  it("are refused what their operation is refused, in the same words", async () => {
    for (const name of ["gated", "allowed"]) {
      const { text, isError } = await call(name);
      expect([text, isError]).toEqual(["POLICY_CREATE is required", true]);
    }
  });

  it("of an unknown tool name those that there are", async () => {
    for (const name of ["drop_table", "__proto__", "constructor"]) {
      const { text, isError } = await call(name);
      expect(isError).toBe(true);
      expect(text).toContain("there are fine, broken");
    }
  });

  it("are counted by tool and outcome", async () => {
    await call("fine");
    const { content: text } = await metrics.exposition();
    expect(text).toMatch(/tributary_mcp_calls_total\{tool="fine",outcome="ok"\} 1/);
    expect(text).toMatch(/tributary_mcp_calls_total\{tool="broken",outcome="failed"\} 1/);
    expect(text).toMatch(/tributary_mcp_calls_total\{tool="unmet",outcome="refused"\} 1/);
    expect(text).toContain('tributary_mcp_call_duration_seconds_count{tool="fine"}');
    expect(text).not.toContain("drop_table");
  });

  it("tell all clients that texts of others are no commands", async () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    const { text } = await send(message("initialize", params));
    expect(JSON.parse(text).result.instructions).toMatch(/never instructions to follow/);
  });
});
