import { describe, expect, it, vi } from "vitest";
import { unavailable } from "#kit/errors.ts";
import {
  ada,
  newCache,
  replicas as newReplicas,
  whoami,
} from "#services/api/access/testing/replicas.ts";
import { comparisonsWaiting } from "#services/api/access/sign-in/credentials.ts";
import { failedAttempts, paces } from "#services/api/access/callers/throttle.ts";

const replicas = newReplicas();

describe("guessing, keys, and a store that is down", () => {
  it("service key: is somebody, and a wrong one is nobody", async () => {
    const { browser } = replicas.open({
      auth: { s2s: { enabled: true, token: "service secret" } },
    });
    const call = (key: string) =>
      browser().get(whoami, { accept: "application/json", "x-api-key": key });
    expect((await (await call("service secret")).json()).identity.username).toBe("ADMIN");
    for (const wrong of ["service secret ", "x", ""]) {
      expect((await call(wrong === "service secret " ? "service secreT" : wrong)).status).toBe(401);
    }
  });

  it("token guessing: answers 401, then 429, to an address with too many wrong tokens", async () => {
    const { browser } = replicas.open();
    const call = () =>
      browser("192.0.2.9").get(whoami, {
        accept: "application/json",
        authorization: "Bearer nope",
      });
    for (let i = 0; i < failedAttempts.perAddress; i++) expect((await call()).status).toBe(401);
    expect((await call()).status).toBe(429);
  });

  it("store of sessions down: 503 with Retry-After for whoever is signed in, key and tokens go on", async () => {
    const cache = newCache();
    const down = { on: false };
    const failing = <T extends object>(commands: T) =>
      new Proxy(commands, {
        get: (target, name) => (...given: unknown[]) => {
          if (down.on) return Promise.reject(unavailable("The cache does not answer"));
          return (Reflect.get(target, name) as (...g: unknown[]) => unknown)(...given);
        },
      });
    const strict = failing(cache.strict);
    const counters = failing(cache.counters);
    const auth = { s2s: { enabled: true, token: "service secret" } };
    const browser = replicas.open({ cache: { ...cache, strict, counters }, auth }).browser();
    await browser.post("/login", ada);
    down.on = true;
    const answer = await browser.get(whoami, { accept: "application/json" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    const login = await browser.post("/login", ada);
    expect([login.status, login.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await login.text()).toContain("not possible right now");
    const key = { accept: "application/json", "x-api-key": "service secret" };
    expect((await browser.get(whoami, key)).status).toBe(200);
    const token = { accept: "application/json", authorization: "Bearer nope" };
    expect((await browser.get(whoami, token)).status).toBe(401);
  });

  it("brute force: slows down whoever guesses for one user, on all replicas together", async () => {
    const cache = newCache();
    const both = [replicas.open({ cache }), replicas.open({ cache })];
    const guess = (i: number) =>
      both[i % 2]!.browser(`192.0.2.${i}`).post("/login", { username: "ada", password: "no" });
    const waits = replicas.waits();
    for (let i = 0; i < failedAttempts.perUser; i++) expect((await guess(i)).status).toBe(302);
    expect(waits()).toEqual([]);
    await guess(50);
    await guess(51);
    expect(waits()).toEqual([paces.user.everyMs, paces.user.everyMs]);
  });

  it("strangers lock nobody out: a user signs in whatever others have guessed elsewhere", async () => {
    const { browser } = replicas.open();
    const attacker = browser("192.0.2.66");
    for (let i = 0; i < 3 * failedAttempts.perUser; i++) {
      await attacker.post("/login", { username: "ada", password: "no" });
    }
    const answer = await browser("192.0.2.99").post("/login", ada);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
  });

  it("one network guesses for one user no faster than the pace, and its others at once get 429", async () => {
    const { browser } = replicas.open();
    const attacker = browser("192.0.2.67");
    const waits = replicas.waits();
    const answers = await Promise.all(
      Array.from(
        { length: 40 },
        () => attacker.post("/login", { username: "flora", password: "no" }),
      ),
    );
    const immediate = answers.filter(({ status }) => status === 302).length - waits().length;
    expect(immediate).toBeLessThanOrEqual(failedAttempts.perUser);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("Too many failed attempts");
    expect((await replicas.audited("SIGN_IN_THROTTLED")).length).toBeGreaterThan(0);
  });

  it("names of a stranger's choice push no count out, and what is refused writes nothing", async () => {
    const cache = newCache();
    const { browser } = replicas.open({ cache });
    const attacker = browser("192.0.2.68");
    const guess = () => attacker.post("/login", { username: "ada", password: "no" });
    for (let i = 0; i < failedAttempts.perUser; i++) await guess();
    const written = vi.spyOn(cache.counters, "increment");
    for (let i = 0; i < 600; i += 50) {
      await Promise.all(
        Array.from(
          { length: 50 },
          (_, n) => attacker.post("/login", { username: `name ${i + n}`, password: "no" }),
        ),
      );
    }
    // Attempts of which the network was over its number went one by one, the others were refused.
    expect(written.mock.calls.length).toBeLessThan(3 * 600);
    const waits = replicas.waits();
    await guess();
    expect(waits()).toContain(paces.userOfNetwork.everyMs);
  });

  it("wrong tokens keep nobody of their address from signing in", async () => {
    const { browser } = replicas.open();
    const waits = replicas.waits();
    const client = browser("192.0.2.69");
    const bearer = { accept: "application/json", authorization: "Bearer nope" };
    for (let i = 0; i <= failedAttempts.perAddress; i++) await client.get(whoami, bearer);
    expect((await client.get(whoami, bearer)).status).toBe(429);
    expect((await client.post("/login", ada)).headers.get("location")).toBe("/");
    expect(waits()).toEqual([]);
  });

  it("a good token goes on behind an address from which others have sent too many wrong ones", async () => {
    const { browser, mint } = replicas.open();
    const token = await mint("ada");
    const call = async (given: string) =>
      (await browser("192.0.2.77").get(whoami, {
        accept: "application/json",
        authorization: `Bearer ${given}`,
      })).status;
    for (let i = 0; i < failedAttempts.perAddress; i++) await call("nope");
    expect([await call("nope"), await call(token)]).toEqual([429, 200]);
  });

  it("brute force: spellings of one name, as directories take them, count together", async () => {
    const spellings = [
      "ada",
      "ADA",
      " ada",
      "ada  ",
      "\u00a0ada",
      "\uff41da",
      "a\u00adda",
      "ad\u200ba",
      "\u00e1da",
      "a\u0301da",
      "A\u0300DA",
    ];
    const { browser } = replicas.open();
    const waits = replicas.waits();
    for (const [i, username] of spellings.entries()) {
      const from = browser(`198.51.100.${i}`);
      await from.post("/login", { username, password: "no" });
    }
    expect(waits()).toHaveLength(spellings.length - failedAttempts.perUser);
  });

  it("brute force: all addresses of one IPv6 network count as one", async () => {
    const { browser } = replicas.open();
    for (let i = 0; i < failedAttempts.perAddress; i++) {
      const from = browser(`2001:db8:0:1:${i.toString(16)}::1`);
      await from.post("/login", { username: `user${i}`, password: "no" });
    }
    const waits = replicas.waits();
    await browser("2001:db8:0:1::ffff").post("/login", ada);
    expect(waits()).toEqual([paces.network.everyMs]);
    expect((await browser("2001:db8:0:2::1").post("/login", ada)).status).toBe(302);
    expect((await browser("::ffff:192.0.2.201").post("/login", ada)).status).toBe(302);
  });

  it("throttled attempts write no more for auditors than once a minute for an address", async () => {
    const { browser } = replicas.open();
    const attacker = browser("192.0.2.50");
    const storedAttempts = async () =>
      (await replicas.audited("SIGN_IN_THROTTLED")).filter((one) => one.address === "192.0.2.50");
    const flood = () =>
      Promise.all(
        Array.from({ length: 30 }, () =>
          attacker.post("/login", { username: "flood", password: "no" })),
      );
    await flood();
    expect(await storedAttempts()).toHaveLength(1);
    replicas.pass(1);
    await flood();
    expect(await storedAttempts()).toHaveLength(2);
  });

  it("many attempts at once are evaluated in turn, and no more wait than may", async () => {
    const { browser } = replicas.open();
    const answers = await Promise.all(
      Array.from(
        { length: comparisonsWaiting + 20 },
        (_, i) =>
          browser(`198.51.100.${i}`).post("/login", { username: `crowd${i}`, password: "no" }),
      ),
    );
    const of = (status: number) => answers.filter((one) => one.status === status).length;
    expect([of(302) > 0, of(503) > 0, of(302) + of(503)]).toEqual([true, true, answers.length]);
  });

  it("brute force: slows down an address that tries many users", async () => {
    const { browser } = replicas.open({ auth: { "login-form-credentials": "ada:correct horse" } });
    const attacker = browser("192.0.2.7");
    for (let i = 0; i < failedAttempts.perAddress; i++) {
      await attacker.post("/login", { username: `user${i}`, password: "no" });
    }
    const waits = replicas.waits();
    await attacker.post("/login", { ...ada, password: "no" });
    expect(waits()).toEqual([paces.network.everyMs]);
    expect((await browser("192.0.2.8").post("/login", ada)).headers.get("location")).toBe("/");
  });
});
