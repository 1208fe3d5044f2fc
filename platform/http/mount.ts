import type { Context, Hono } from "hono";
import { translatedKeys } from "#contract/ingestion/translate.ts";
import type { AppEnv } from "#platform/http/requests.ts";
import { callerOf } from "#platform/http/pages.ts";
import { type FormReader, requireType } from "#platform/http/take.ts";
import type { CallerShares, WriteBudget } from "#platform/http/shares.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { admit, run } from "#platform/operations/call.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Reply, Route } from "#platform/operations/declare.ts";

interface MountOptions {
  forms: FormReader;
  access: AccessControl;
  shares: CallerShares;
  budget: WriteBudget;
}

/** Makes an operation callable over HTTP. */
export function mount(app: Hono<AppEnv>, route: Route, options: MountOptions): void {
  const { method, path, secret, aliases = [] } = route.spec;
  const paths = [path, ...aliases].map((one) => one.replaceAll(/\{(\w+)\}/g, ":$1"));
  app.on(method.toUpperCase(), paths, async (c) => {
    const reply = await answer(c, route, options);
    const response = respond(
      secret ? { ...reply, headers: { ...reply.headers, ...unkept } } : reply,
    );
    return c.req.method === "HEAD" ? await withoutBody(response) : response;
  });
}

/** The producer of the body holds connections and permits while it waits for a reader, so it is cancelled. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

const unkept = { "cache-control": "no-store" };

async function answer(c: Context<AppEnv>, route: Route, options: MountOptions): Promise<Reply> {
  const { access, shares } = options;
  const caller = await callerOf(c.req.raw, c.env?.client, route.spec.access, access);
  return await shares.during(caller, () => answerTo(caller, c, route, options));
}

async function answerTo(
  caller: Caller,
  c: Context<AppEnv>,
  route: Route,
  { forms, access, budget }: MountOptions,
): Promise<Reply> {
  const request = c.req.raw;
  const { body, rawBody, bodyType = "json" } = route.spec;
  const admitted = await admit(route, { params: c.req.param() }, caller, access.authorizer);
  budget.check(route, caller);
  if (body || rawBody) requireType(request, bodyType);
  const given = { request, query: queryOf(c) };
  const runWith = (more: { body?: unknown }, bytes: number) => {
    budget.charge(route, caller, bytes);
    return run(admitted, { ...given, ...more });
  };
  if (!body) return await runWith({}, 0);
  return await forms.read(request, route.spec, (read, bytes) => runWith({ body: read }, bytes));
}

/** A parameter that occurs once becomes its value, a repeated one a list of values. */
function queryOf(c: Context): Record<string, string | string[]> {
  const given = new Map<string, string[]>();
  for (const [name, values] of Object.entries(c.req.queries())) {
    const ours = ourSpelling(name, c.req.path);
    given.set(ours, [...(given.get(ours) ?? []), ...values]);
  }
  return Object.fromEntries(
    [...given].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
}

function respond(reply: Reply): Response {
  const headers = new Headers(reply.headers);
  if (reply.raw) {
    headers.set("content-type", reply.raw.contentType);
    return new Response(reply.raw.content as BodyInit, { status: reply.status, headers });
  }
  const text = reply.json ?? (reply.body === undefined ? null : JSON.stringify(reply.body));
  if (text !== null) headers.set("content-type", "application/json; charset=utf-8");
  return new Response(text, { status: reply.status, headers });
}

/**
 * Translates the name of a query parameter: under `/api`, clients of the upstream ecosystem may write `oddrn`
 * for `catrn`. Keys of bodies are translated where bodies are read.
 */
function ourSpelling(name: string, path: string): string {
  return path.startsWith("/api/") ? translatedKeys.get(name) ?? name : name;
}
