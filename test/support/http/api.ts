import { PostgresHistory } from "#graph/postgres/history.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { createApp } from "#platform/http/app.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Route } from "#platform/operations/declare.ts";
import { contractOf } from "#test/support/http/contract.ts";
import type { TestDatabase } from "#test/support/engines/database.ts";

/** A port that this test did not ask for; touching it fails with its name. */
function missing<T extends object>(port: string): T {
  return new Proxy({} as T, {
    get(_, key) {
      throw new Error(`this test was given no ${port} (.${String(key)})`);
    },
  });
}

/**
 * A context over the file's own database. Ports that are not given fail when touched. Close its
 * wake-ups (`context.wakeups.close()`) before the database is dropped.
 */
export function testContext(test: TestDatabase, given: Partial<Context> = {}): Context {
  return {
    config: Config.parse({ instance: test.name }),
    baseUrl: () => "http://localhost:8080",
    db: test.db,
    wakeups: new Wakeups(test.url, silentLogger),
    leases: new Leases(test.db, crypto.randomUUID()),
    events: missing("event log"),
    graph: missing("lineage graph"),
    history: new PostgresHistory(given.db ?? test.db),
    cache: missing("cache"),
    storage: missing("storage of attachments"),
    clock: systemClock,
    log: silentLogger,
    metrics: noMetrics,
    ...given,
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when there is none. */
  // deno-lint-ignore no-explicit-any -- tests look into answers of every shape
  json: any;
}

export interface TestApi {
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/**
 * The application with these routes, called in process. A string or bytes body is sent as it is. Every
 * answer is held to what its operation declares: it throws when it is anything else.
 */
export function testApi(
  routes: Route[],
  context?: Partial<Context>,
  given: { access?: AccessControl } = {},
): TestApi {
  const app = createApp({
    ...given,
    routes,
    log: context?.log ?? silentLogger,
    metrics: context?.metrics ?? noMetrics,
    clock: context?.clock ?? systemClock,
    config: context?.config ?? Config.parse({}),
  });
  const declared = contractOf(routes);
  const send = async (method: string, path: string, body?: unknown, headers?: HeadersInit) => {
    const raw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
    const request = new Request(`http://localhost${path}`, {
      method,
      body: (raw ? body : JSON.stringify(body)) as BodyInit | undefined,
      headers: { "content-type": "application/json", ...headers },
    });
    const response = await app.request(request);
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== "" ? JSON.parse(text) : undefined,
    };
    declared(method, path, answer, raw ? undefined : body);
    return answer;
  };
  return {
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    delete: (path) => send("DELETE", path),
  };
}
