import type { Answer } from "#test/support/http/api.ts";

type Fetch = (request: Request, client: string) => Response | Promise<Response>;

/** A browser that keeps cookies and follows no redirect by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();

  /** `origin`: of the service, as the browser addresses it. */
  constructor(
    private readonly fetch: Fetch,
    private readonly client = "192.0.2.1",
    private readonly origin = "http://localhost",
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send("GET", path, undefined, { accept: "text/html", ...headers });
  }

  /** Sends a form as the page itself would. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return this.send("POST", path, new URLSearchParams(fields), {
      accept: "text/html",
      origin: this.origin,
      ...headers,
    });
  }

  /** Calls an operation as a page's script would, and reads the answer. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await this.send(
      method,
      path,
      body === undefined ? body : JSON.stringify(body),
      {
        accept: "application/json",
        "content-type": "application/json",
        origin: this.origin,
        ...headers,
      },
    );
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    const json = isJson && text !== "" ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  }

  async send(
    method: string,
    path: string,
    body: URLSearchParams | string | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`${this.origin}${path}`, {
      method,
      body,
      headers: { ...headers, ...(cookie ? { cookie } : {}) },
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
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

/** A browser at a running service. */
export function browserAt(url: string): Browser {
  return new Browser((request) => fetch(request), undefined, new URL(url).origin);
}
