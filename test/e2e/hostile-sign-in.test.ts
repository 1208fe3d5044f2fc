import bcrypt from "bcryptjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paces } from "#services/api/access/callers/throttle.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { browserAt } from "#test/support/sign-in/browser.ts";
import { bearer, done, signedIn } from "#test/support/sign-in/entering.ts";

const hash = bcrypt.hashSync("ada's word", 10);
const env = (database: TestDatabase) => ({
  INSTANCE: database.name,
  METADATA_POSTGRES_URL: database.url,
  TRACES_HTTP_PORT: "0",
  TRACES_GRPC_PORT: "0",
  AUTH_TYPE: "LOGIN_FORM",
  AUTH_LOGIN_FORM_CREDENTIALS: `ada:${hash},eve:eve's word,root:root's word`,
  AUTH_LOGIN_FORM_ADMINISTRATORS: "root",
  AUTH_ENFORCE_ALL_GATES: "true",
  SERVER_TRUSTED_PROXIES: "127.0.0.1",
});

describe("hostile sign-in, over HTTP", () => {
  let database: TestDatabase;
  let api: ServiceProcess;
  beforeAll(async () => {
    database = await testDatabase();
    api = await startService({ service: "api", env: env(database) });
  });
  afterAll(async () => {
    await api?.terminate();
    await database?.drop();
  });

  /** Sends the form as a client of this address, behind our proxy. */
  const guess = (address: string, username: string, password = "wrong") =>
    browserAt(api.url).post("/login", { username, password }, { "x-forwarded-for": address });

  it("a flood of sign-ins stops no other request, and is answered or refused", async () => {
    await guess("198.51.100.1", "nobody");
    let flooding = true;
    const flood = Promise.all(
      Array.from({ length: 55 }, (_, n) => guess("198.51.100.1", `user${n}`)),
    ).finally(() => flooding = false);
    const stalls: number[] = [];
    do {
      const since = performance.now();
      expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
      stalls.push(performance.now() - since);
    } while (flooding);
    const statuses = (await flood).map(({ status }) => status);
    expect(Math.max(...stalls)).toBeLessThan(1_500);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
    expect(statuses.every((status) => [302, 429, 503].includes(status))).toBe(true);
  });

  it(
    "a stranger's names empty no counter: ten guesses are evaluated at once, not more",
    async () => {
      const began = performance.now();
      const countRejected = async (guesses: Promise<Response>[]) =>
        (await Promise.allSettled(guesses))
          .filter((one) => one.status === "fulfilled" && one.value.status === 302).length;
      const attacker = "198.51.100.2";
      let total = 0;
      for (let n = 0; n < 10; n++) total += await countRejected([guess(attacker, "eve")]);
      const names = Array.from({ length: 800 }, (_, n) => guess(attacker, `name ${n}`));
      await Promise.any(names);
      const more = countRejected(Array.from({ length: 20 }, () => guess(attacker, "eve")));
      await Promise.allSettled(names);
      total += await more;
      const paced = Math.ceil((performance.now() - began) / paces.userOfNetwork.everyMs);
      expect(total).toBeLessThanOrEqual(10 + paced);
      const elsewhere = await guess("198.51.100.3", "eve", "eve's word");
      expect(elsewhere.headers.get("location")).toBe("/");
    },
    120_000,
  );

  it("wrong tokens of others behind the proxy refuse nobody's sign-in", async () => {
    await Promise.all(Array.from({ length: 110 }, () =>
      fetch(`${api.url}/api/identity/whoami`, {
        headers: { ...bearer("nope"), "x-forwarded-for": "198.51.100.4" },
      })));
    for (const address of ["198.51.100.4", "198.51.100.5"]) {
      expect((await guess(address, "ada", "ada's word")).headers.get("location")).toBe("/");
    }
  });

  it("a restricted user does not become an administrator by an owner without roles", async () => {
    const root = await signedIn(api, "root", "root's word");
    const make = (path: string, body: object) => done(root.call("POST", path, body));
    const statements = [{
      resource: { type: "MANAGEMENT" },
      permissions: ["DIRECT_OWNER_SYNC", "OWNER_ASSOCIATION_MANAGE"],
    }];
    const policy = await make("/api/policies", {
      name: "binds",
      policy: JSON.stringify({ statements }),
    });
    const role = await make("/api/roles", { name: "binds", policies: [{ id: policy.id }] });
    const owner = await make("/api/owners", { name: "Limited", roles: [{ id: role.id }] });
    await make("/api/owners/mapping", { owner_id: owner.id, oidc_username: "eve" });
    const eve = await signedIn(api, "eve", "eve's word");
    const rights = async () =>
      (await done(eve.call("GET", "/api/identity/whoami"))).identity.permissions.sort();
    await eventually(async () =>
      expect(await rights()).toEqual(["DIRECT_OWNER_SYNC", "OWNER_ASSOCIATION_MANAGE"])
    );
    const before = await rights();
    const request = await done(
      eve.call("POST", "/api/owner_association_request", { name: "Fresh" }),
    );
    expect(request.status).toBe("PENDING");
    const path = `/api/owner_association_request/${request.id}`;
    expect((await eve.call("PUT", path, { status: "APPROVED" })).status).toBe(403);
    expect(new Set(await rights()).difference(new Set(before)).size).toBe(0);
    await done(root.call("PUT", path, { status: "APPROVED" }));
    await eventually(async () => expect(await rights()).not.toContain("DIRECT_OWNER_SYNC"));
    expect(await rights()).not.toContain("OWNER_RELATION_MANAGE");
  });
});
