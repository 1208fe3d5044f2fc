import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { distributed, redisUrl } from "#test/support/engines/engines.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { type TcpProxy, tcpProxy } from "#test/support/engines/tcp-proxy.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Browser, browserAt } from "#test/support/sign-in/browser.ts";
import { bearer, done, signedIn } from "#test/support/sign-in/entering.ts";

const password = "ada's word";
const serviceKey = "key of a service, of 32 characters";
const whoami = "/api/identity/whoami";

const auth = {
  type: "LOGIN_FORM",
  "login-form-credentials": `ada:${password}`,
  s2s: { enabled: true, token: serviceKey },
  ingestion: { filter: { enabled: true } },
};

/** Milliseconds after which a command to Redis has failed, and what a busy machine may add to a request. */
const commandTimeout = 500;
const slack = 1_000;

/** A request, with how long it took, in commands that waited for Redis one after the other. */
async function timed<T>(commands: number, request: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const answer = await request();
  expect(performance.now() - began).toBeLessThan(commands * commandTimeout + slack);
  return answer;
}

if (distributed()) {
  describe("sign-in while Redis is away", () => {
    let redis: TcpProxy;
    let instance: Instance;
    let ada: Browser;
    let tokens: { personal: string; collector: string };
    beforeAll(async () => {
      redis = await tcpProxy(redisUrl());
      const config = { auth, cache: { redis: { url: redis.url } } };
      instance = await startInstance("distributed", { services: [apiService], config });
      ada = await signedIn(instance, "ada", password);
      const personal = await done(ada.call("POST", "/api/identity/tokens", { name: "script" }));
      const collector = await done(ada.call("POST", "/api/collectors", { name: "nightly" }));
      tokens = { personal: personal.value, collector: collector.token.value };
    });
    afterEach(async () => {
      await redis.open();
      await eventually(async () => expect((await ada.call("GET", whoami)).status).toBe(200));
    });
    afterAll(async () => {
      await instance?.stop();
      await redis?.close();
    });

    const ways: [string, () => Promise<void> | void][] = [
      ["cut off", () => redis.cut()],
      ["frozen", () => redis.freeze()],
    ];
    describe.each(ways)("%s", (_, takeAway) => {
      const send = (method: string, path: string, headers: HeadersInit, body?: object) =>
        timed(1, () => instance.send(method, path, body, headers));

      it("whoever is signed in gets 503, nobody is let in, and the session is good again", async () => {
        await takeAway();
        const reads: [string, string, object?][] = [
          ["GET", whoami],
          ["GET", "/api/dataentities/my"],
          ["POST", "/api/tags", [{ name: "no" }]],
          ["DELETE", "/api/collectors/1"],
        ];
        for (const [method, path, body] of reads) {
          const refused = await timed(1, () => ada.call(method, path, body));
          expect([path, refused.status, refused.headers.get("retry-after")])
            .toEqual([path, 503, "5"]);
          expect(refused.json).toMatchObject({ code: "SYS002", retryable: true });
        }
        const page = await timed(1, () => ada.get(whoami));
        expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
        const out = await timed(1, () => ada.post("/logout", {}));
        expect([out.status, ada.cookies.has("SESSION")]).toEqual([503, true]);
        expect((await browserAt(instance.url).call("GET", whoami)).status).toBe(401);
        await redis.open();
        await eventually(async () => expect((await ada.call("GET", whoami)).status).toBe(200));
        expect(await instance.test.db.query("SELECT name FROM tag")).toEqual([]);
        expect(await instance.test.db.query("SELECT id FROM collector")).toHaveLength(1);
      });

      it("nobody can sign in, and everybody reads why", async () => {
        await takeAway();
        for (const tried of [password, "wrong"]) {
          const browser = browserAt(instance.url);
          const answer = await timed(
            1,
            () => browser.post("/login", { username: "ada", password: tried }),
          );
          expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
          expect(answer.headers.get("content-type")).toContain("text/html");
          expect(await answer.text()).toContain("not possible right now");
          expect(browser.cookies.size).toBe(0);
        }
      });

      it("personal tokens, the service key and tokens of collectors go on", async () => {
        await takeAway();
        const ingested = { items: [{ catrn: "//one", name: "one" }] };
        const attempts: [string, number][] = [];
        const record = async (who: string, answer: Promise<Response>) =>
          void attempts.push([who, (await answer).status]);
        await record("person", send("GET", whoami, bearer(tokens.personal)));
        await record("key", send("GET", whoami, { "x-api-key": serviceKey }));
        const collector = bearer(tokens.collector);
        await record("collector", send("POST", "/ingestion/datasources", collector, ingested));
        const unknown = () => instance.send("GET", whoami, undefined, bearer("unknown"));
        await record("unknown", timed(2, unknown));
        await record("nobody", send("POST", "/ingestion/datasources", {}, ingested));
        expect(attempts).toEqual([
          ["person", 200],
          ["key", 200],
          ["collector", 200],
          ["unknown", 401],
          ["nobody", 401],
        ]);
      });
    });
  });
} else {
  it("sign-in while Redis is away is not tested in this run: only the embedded engines are", () => {
    expect(distributed()).toBe(false);
  });
}
