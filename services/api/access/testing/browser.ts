import type { Context } from "#platform/context.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { systemClock } from "#kit/clock.ts";
import { createApp } from "#platform/http/app.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { Access } from "#services/api/access/service.ts";

/** The application with its sign-in pages, over these routes; `address` of the client comes second. */
export function appWith(access: Access, routes: Route[], { config }: Pick<Context, "config">) {
  const app = createApp({
    routes,
    access,
    pages: access.pages,
    log: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
    config,
  });
  return (request: Request, client: string) => app.fetch(request, { client });
}

/** A browser that keeps cookies and follows no redirect by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly fetch: (request: Request, client: string) => Response | Promise<Response>,
    private readonly client = "192.0.2.1",
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send("GET", path, undefined, { accept: "text/html", ...headers });
  }

  /** Sends a form as the page itself would. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return this.send("POST", path, new URLSearchParams(fields), {
      accept: "text/html",
      origin: "http://localhost",
      ...headers,
    });
  }

  async send(
    method: string,
    path: string,
    body: URLSearchParams | string | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`http://localhost${path}`, {
      method,
      body,
      headers: { ...headers, ...(cookie ? { cookie } : {}) },
    });
    const response = await this.fetch(request, this.client);
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return response;
  }

  #keep(set: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (name === undefined) return;
    if (value === "" || /Max-Age=0/.test(set)) this.cookies.delete(name);
    else this.cookies.set(name, value!);
  }
}
