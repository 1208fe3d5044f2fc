import { describe, expect, it } from "vitest";
import { publishedRoutes } from "#services/api/openapi.ts";
import { ada, replicas as newReplicas, whoami } from "#services/api/access/testing/replicas.ts";

const replicas = newReplicas();
const json = { accept: "application/json" };

describe("DNS rebinding with a session", () => {
  it("421: whatever the cookie, a host name of another is not served", async () => {
    const { browser } = replicas.open();
    const own = browser();
    await own.post("/login", ada);
    const rebound = browser(undefined, "http://evil.example");
    rebound.cookies.set("SESSION", own.cookies.get("SESSION")!);
    for (const path of [whoami, "/login", "/nothing"]) {
      expect([path, (await rebound.get(path)).status]).toEqual([path, 421]);
    }
    expect((await own.get(whoami, { ...json, host: "evil.example" })).status).toBe(421);
    expect((await own.get(whoami, json)).status).toBe(200);
  });

  it("421: nobody signs in or out there", async () => {
    const rebound = replicas.open().browser(undefined, "http://evil.example");
    expect((await rebound.post("/login", ada)).status).toBe(421);
    expect((await rebound.post("/logout", {})).status).toBe(421);
    expect(rebound.cookies.size).toBe(0);
  });
});

describe("CORS with sign-in", () => {
  const origin = "https://ui.example";
  const preflight = { origin, "access-control-request-method": "GET" };
  const corsOf = ({ headers }: Response) =>
    [...headers].filter(([name]) => name.startsWith("access-control-"));

  it("a preflight is answered without credentials, and names the origin that is trusted", async () => {
    const { browser } = replicas.open({ server: { cors: { origins: origin } } });
    const answer = await browser().send("OPTIONS", whoami, undefined, preflight);
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(corsOf(answer).map(([, value]) => value)).not.toContain("*");
  });

  it("a preflight of another origin, or where none is trusted, allows nothing", async () => {
    for (const origins of ["", "https://other.example"]) {
      const { browser } = replicas.open({ server: origins ? { cors: { origins } } : {} });
      const answer = await browser().send("OPTIONS", whoami, undefined, preflight);
      expect([answer.status, corsOf(answer)]).toEqual([204, []]);
    }
  });

  it("a trusted page can read that nobody is signed in, and is not sent to the form", async () => {
    const { browser } = replicas.open({ server: { cors: { origins: origin } } });
    const answer = await browser().get(whoami, { ...json, origin });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
      401,
      origin,
    ]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="Tributary"');
  });

  it("no page but a trusted one changes anything with somebody's session", async () => {
    const { browser } = replicas.open();
    const own = browser();
    await own.post("/login", ada);
    const foreign = { ...json, origin, "content-type": "application/json" };
    expect((await own.send("POST", "/logout", "", foreign)).status).toBe(403);
    expect((await own.get(whoami, json)).status).toBe(200);
  });
});

describe("who is not signed in is told", () => {
  const routes = publishedRoutes().map(({ spec }) => ({
    spec,
    handler: () => Promise.resolve({ status: 204 as const }),
  }));
  const pathOf = ({ spec }: (typeof routes)[number]) => spec.path.replaceAll(/\{\w+\}/g, "1");
  const paths = [...new Set(routes.map(pathOf))];
  const open = () => replicas.open({ routes }).browser();

  it("404 of a path that nobody knows, with any method, type and credential", async () => {
    const browser = open();
    for (const path of ["/nothing", "/api", "/api/nothing", "/api/tags/1/2/3", "/ingestion/x"]) {
      for (const method of ["GET", "POST", "DELETE", "OPTIONS", "PATCH"]) {
        const wrong = { accept: "text/html", authorization: "Bearer wrong" };
        const { status } = await browser.send(method, path, undefined, wrong);
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
  });

  it("405 of a method that a path does not take, before 401", async () => {
    const browser = open();
    // A parameter of another path may stand for the last word of this one.
    const patched = routes.filter(({ spec }) => spec.method === "patch")
      .map(({ spec }) => new RegExp(`^${spec.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));
    const others = paths.filter((path) => !patched.some((pattern) => pattern.test(path)));
    for (const path of others) {
      const answer = await browser.send("PATCH", path, undefined, json);
      expect([path, answer.status]).toEqual([path, 405]);
      expect(answer.headers.get("allow")).toContain("OPTIONS");
      expect((await browser.send("OPTIONS", path, undefined, json)).status).toBe(204);
    }
  });

  it.each([
    ["an id that is none", "GET", "/api/dataentities/x"],
    ["an id of nothing", "GET", "/api/dataentities/999999999"],
    ["a query that is wrong", "GET", "/api/dataentities?page=0"],
    ["a body that is none", "POST", "/api/owners", "{"],
    ["a body of another type", "POST", "/api/owners", "a=1", "text/plain"],
    ["only the head", "HEAD", whoami],
  ])("401 before anything is said of %s", async (_, method, path, body?: string, type?: string) => {
    const headers = { ...json, "content-type": type ?? "application/json" };
    const answer = await open().send(method!, path!, body, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="Tributary"');
  });
});
