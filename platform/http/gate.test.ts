import { describe, expect, it } from "vitest";
import { AppError } from "#kit/errors.ts";
import { Config } from "#platform/config/schema.ts";
import { gate } from "#platform/http/origins.ts";

const check = gate(Config.parse({
  server: {
    host: "0.0.0.0",
    hosts: "api, Catalogue.Example.",
    cors: { origins: "https://ui.example" },
  },
  catalog: { "platform-base-url": "https://data.example/catalogue" },
}));

interface RequestInit {
  method?: string;
  host?: string;
  url?: string;
  headers?: Record<string, string>;
}

/** Status and text of the refusal; status 0 when the request passes. */
function responseOf({ method = "GET", host, url, headers = {} }: RequestInit): [number, string] {
  const all = new Headers(headers);
  if (host !== undefined) all.set("host", host);
  try {
    check({ method, url: url ?? `http://${host}/x`, headers: all });
    return [0, ""];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.status, `${error.message} ${JSON.stringify(error.details)}`];
  }
}

describe("Host", () => {
  it.each([
    "localhost",
    "LocalHost:8080",
    "shop.localhost:9",
    "127.0.0.1:8080",
    "127.8.9.1",
    "[::1]:8080",
    "192.168.7.9:8080",
    "[2001:db8::7]",
    "api:8080",
    "catalogue.example",
    "catalogue.example.",
    "data.example",
  ])("passes as %s", (host) => expect(responseOf({ host })).toEqual([0, ""]));

  it.each([
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "api.evil.example",
    "127.0.0.1.evil.example",
    "999.0.0.1",
    "notlocalhost",
  ])("is refused as %s, naming the key", (host) => {
    const [status, text] = responseOf({ host });
    expect([status, text]).toEqual([421, expect.stringMatching(/Host.*server\.hosts/)]);
  });

  it.each(["a:99999", "a b", "[::1", "", "a/b", "a?b", "user@localhost", "ä", "a, b", "[x]", "a:"])(
    "is refused as %j, which is none",
    (host) => expect(responseOf({ host, url: "http://localhost/" })[0]).toBe(400),
  );

  it("may be absent, and the address of the request line counts as well", () => {
    expect(responseOf({ url: "http://localhost:8080/" })).toEqual([0, ""]);
    expect(responseOf({ url: "http://evil.example/", host: "localhost" })[0]).toBe(421);
    expect(responseOf({ url: "http://evil.example:99999/", host: "localhost" })[0]).toBe(400);
  });

  it("may be anything with server.hosts=*, as long as it is one", () => {
    const open = gate(Config.parse({ server: { hosts: "*" } }));
    const request = (host: string) => ({
      method: "GET",
      url: "http://x/",
      headers: new Headers({ host }),
    });
    expect(() => open(request("evil.example"))).not.toThrow();
    expect(() => open(request("a:99999"))).toThrow(/Host/);
  });
});

describe("Origin", () => {
  const host = "localhost:8080";
  const write = (headers: Record<string, string>, at = host) =>
    responseOf({ method: "POST", host: at, headers });

  it.each<[string, Record<string, string>]>([
    ["no page", {}],
    ["a page of ours", { origin: "http://localhost:8080" }],
    ["a page of ours, by TLS of a proxy", { origin: "https://localhost:8080" }],
    ["a page under platform-base-url", { origin: "https://data.example" }],
    ["a trusted page", { origin: "https://ui.example", "sec-fetch-site": "cross-site" }],
    ["what a browser calls ours", { origin: "http://other", "sec-fetch-site": "same-origin" }],
    ["a person", { "sec-fetch-site": "none" }],
  ])("lets %s write", (_, headers) => expect(write(headers)).toEqual([0, ""]));

  it.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:3000" }],
    ["a page without an origin", { origin: "null" }],
    ["what is no origin", { origin: "localhost:8080" }],
    ["a browser that names none", { "sec-fetch-site": "cross-site" }],
    ["a sister site", { origin: "https://a.data.example", "sec-fetch-site": "same-site" }],
  ])("refuses to let %s write, naming the header and the key", (_, headers) => {
    const [status, text] = write(headers);
    expect([status, text]).toEqual([403, expect.stringMatching(/server\.cors\.origins/)]);
    expect(text).toMatch(/Origin|Sec-Fetch-Site/);
  });

  it("is our own by default at our own port, not at the usual one", () => {
    const ours = gate(Config.parse({ server: { port: 9000 } }));
    const from = (origin: string) => ({
      method: "POST",
      url: "http://data.localhost:7000/x",
      headers: new Headers({ origin, host: "data.localhost:7000" }),
    });
    expect(() => ours(from("http://localhost:9000"))).not.toThrow();
    expect(() => ours(from("http://localhost:8080"))).toThrow(/server\.cors\.origins/);
  });

  it.each(["GET", "HEAD", "OPTIONS"])("does not matter to %s", (method) => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(responseOf({ method, host, headers })).toEqual([0, ""]);
  });
});
