import type { Call } from "#platform/demonstration/client.ts";
import type { Logger } from "#kit/log.ts";
import { errorReply } from "#platform/http/errors.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import { call } from "#platform/operations/call.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { Reply } from "#platform/operations/reply.ts";

export interface Operations {
  routes: readonly Route[];
  authorizer: Authorizer;
  log: Logger;
}

/** Who calls: operations that take metadata in are called as a collector, where one is given. */
export interface Callers {
  person: Caller;
  collector?: Caller;
}

/**
 * Calls operations of this process as their callers would over HTTP: admitted by the same permissions and validated by the
 * same schemas.
 */
export function inProcess({ routes, authorizer, log }: Operations, callers: Callers): Call {
  return async (method, path, body) => {
    const url = new URL(path, "http://in-process");
    const { route, params } = routeOf(routes, method, url.pathname);
    const isText = typeof body === "string";
    const request = new Request(url, {
      method,
      headers: { "content-type": isText ? "text/csv" : "application/json" },
      body: isText ? body : body === undefined ? undefined : JSON.stringify(body),
    });
    const query = Object.fromEntries(url.searchParams);
    const actor = route.spec.access === "collector"
      ? callers.collector ?? callers.person
      : callers.person;
    try {
      return answerOf(await call(route, { params, query, body, request }, actor, authorizer));
    } catch (error) {
      const { status, headers, body } = errorReply(error, log, request);
      const text = await new Response(body).text();
      return { status, header: (name) => headers.get(name), text: () => Promise.resolve(text) };
    }
  };
}

/** The operation of a path, with the parameters in it; those without parameters come before those with some. */
function routeOf(routes: readonly Route[], method: string, path: string) {
  const steps = path.split("/").map(decodeURIComponent);
  const found = routes.flatMap((route) => {
    const params = route.spec.method === method.toLowerCase() && matched(route.spec.path, steps);
    return params ? [{ route, params }] : [];
  });
  const [first] = found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (!first) throw new Error(`there is no operation ${method} ${path}`);
  return first;
}

function matched(template: string, steps: string[]): Record<string, string> | undefined {
  const parts = template.split("/");
  if (parts.length !== steps.length) return undefined;
  const params: [string, string][] = [];
  for (const [at, part] of parts.entries()) {
    if (part.startsWith("{")) params.push([part.slice(1, -1), steps[at]!]);
    else if (part !== steps[at]) return undefined;
  }
  return Object.fromEntries(params);
}

function answerOf(reply: Reply) {
  const text = reply.json ?? (reply.body === undefined ? "" : JSON.stringify(reply.body));
  const headers = new Headers(reply.headers);
  return {
    status: reply.status,
    header: (name: string) => headers.get(name),
    text: () => Promise.resolve(text),
  };
}
