import { describe, expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import {
  ada,
  newCache,
  replicas as newReplicas,
  whoami,
} from "#services/api/access/testing/replicas.ts";
import { comparisonsWaiting } from "#services/api/access/sign-in/form-users.ts";
import { failedAttempts } from "#services/api/access/callers/throttle.ts";

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
    const failing = new Proxy(cache.strict, {
      get: (target, name) => (...given: unknown[]) => {
        if (down.on) return Promise.reject(unavailable("The cache does not answer"));
        return (Reflect.get(target, name) as (...g: unknown[]) => unknown)(...given);
      },
    });
    const auth = { s2s: { enabled: true, token: "service secret" } };
    const browser = replicas.open({ cache: { ...cache, strict: failing }, auth }).browser();
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
    for (let i = 0; i < failedAttempts.perUser; i++) expect((await guess(i)).status).toBe(302);
    const throttled = await both[0]!.browser("192.0.2.99").post("/login", ada);
    expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "300"]);
    expect(await throttled.text()).toContain("Too many failed attempts");
    expect((await replicas.audited("SIGN_IN_THROTTLED")).length).toBeGreaterThan(0);
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
    const answers = [];
    for (const [i, username] of spellings.entries()) {
      const from = browser(`198.51.100.${i}`);
      answers.push((await from.post("/login", { username, password: "no" })).status);
    }
    expect(answers).toEqual([...Array(failedAttempts.perUser).fill(302), 429]);
  });

  it("brute force: all addresses of one IPv6 network count as one", async () => {
    const { browser } = replicas.open();
    for (let i = 0; i < failedAttempts.perAddress; i++) {
      const from = browser(`2001:db8:0:1:${i.toString(16)}::1`);
      await from.post("/login", { username: `user${i}`, password: "no" });
    }
    expect((await browser("2001:db8:0:1::ffff").post("/login", ada)).status).toBe(429);
    expect((await browser("2001:db8:0:2::1").post("/login", ada)).status).toBe(302);
    expect((await browser("::ffff:192.0.2.201").post("/login", ada)).status).toBe(302);
  });

  it("throttled attempts write no more for auditors than once a minute for an address", async () => {
    const { browser } = replicas.open();
    const attacker = browser("192.0.2.50");
    const kept = async () =>
      (await replicas.audited("SIGN_IN_THROTTLED")).filter((one) => one.address === "192.0.2.50");
    for (let i = 0; i < failedAttempts.perUser + 5; i++) {
      await attacker.post("/login", { username: "flood", password: "no" });
    }
    expect(await kept()).toHaveLength(1);
    replicas.pass(1);
    await attacker.post("/login", { username: "flood", password: "no" });
    expect(await kept()).toHaveLength(2);
  });

  it("many attempts at once are judged in turn, and no more wait than may", async () => {
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
    expect((await attacker.post("/login", ada)).status).toBe(429);
    expect((await browser("192.0.2.8").post("/login", ada)).headers.get("location")).toBe("/");
  });
});
