import { afterAll, describe, expect, it } from "vitest";
import { newPersonalToken } from "#services/api/access/callers/personal-tokens.ts";
import { Database } from "#metadata/postgres/database.ts";
import {
  ada,
  type ReplicaOptions,
  replicas as newReplicas,
  whoami,
} from "#services/api/access/testing/replicas.ts";
import { unavailable } from "#kit/errors.ts";
import { recordingLogger } from "#test/support/log.ts";

const replicas = newReplicas();
const opened: Database[] = [];
afterAll(async () => void await Promise.all(opened.map((db) => db.close())));

function connected(url: string): Database {
  const db = new Database({ url, max: 2, statementTimeoutMs: 200, applicationName: "outage" });
  opened.push(db);
  return db;
}
const gone = () => connected("postgres://nobody@127.0.0.1:1/none");

const json = { accept: "application/json" };
const filter = { ingestion: { filter: { enabled: true } } };
const gates = { "enforce-all-gates": true, s2s: { enabled: true, token: "service secret" } };
const credentials: [string, ReplicaOptions, Record<string, string>][] = [
  ["a personal token", {}, { authorization: `Bearer ${newPersonalToken()}` }],
  ["a token of a collector", { auth: filter }, { authorization: "Bearer of-a-collector" }],
  ["a session in it", { session: { provider: "INTERNAL_POSTGRESQL" } }, {
    cookie: `SESSION=${"A".repeat(43)}`,
  }],
  ["a service key, whose rights are in it", { auth: gates }, { "x-api-key": "service secret" }],
];

describe("PostgreSQL", () => {
  it.each(credentials)("that is down: 503 with Retry-After for %s", async (_, options, headers) => {
    const browser = replicas.open({ ...options, db: gone }).browser();
    const answer = await browser.get(whoami, { ...json, ...headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("that is slow: 503 with Retry-After for a personal token", async () => {
    const slow = connected(replicas.url);
    const { browser, mint } = replicas.open({ db: () => slow });
    const authorization = `Bearer ${await mint("ada")}`;
    await replicas.db.transaction(async (tx) => {
      await tx.query("LOCK TABLE personal_token IN ACCESS EXCLUSIVE MODE");
      const answer = await browser().get(whoami, { ...json, authorization });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    });
    expect((await browser().get(whoami, { ...json, authorization })).status).toBe(200);
  });

  it("that is down: people read that they cannot sign in", async () => {
    const browser = replicas.open({ db: gone }).browser();
    const answer = await browser.post("/login", ada);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.text()).toContain("not possible right now");
    expect(browser.cookies.size).toBe(0);
  });
});

describe("what cannot be retained for auditors", () => {
  /** The database, but for events of auditors while `on`. */
  const deaf = { on: false };
  const withoutAudit = (own: Database) =>
    new Proxy(own, {
      get: (target, name) =>
        name !== "query"
          ? Reflect.get(target, name)
          : (statement: { name?: string }, values: unknown[]) =>
            deaf.on && statement.name === "audit-insert"
              ? Promise.reject(unavailable("The metadata store does not answer"))
              : target.query(statement as never, values),
    });

  it("lets nobody in: no session begins, and an older one goes on", async () => {
    const browser = replicas.open({ db: withoutAudit }).browser();
    await browser.post("/login", ada);
    const older = browser.cookies.get("SESSION");
    deaf.on = true;
    const answer = await browser.post("/login", ada);
    deaf.on = false;
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([503, null]);
    expect(await answer.text()).toContain("not possible right now");
    expect(browser.cookies.get("SESSION")).toBe(older);
    expect((await browser.get(whoami)).status).toBe(200);
  });

  it("hinders nobody from signing out, and is an error in the log, whole", async () => {
    const { log, lines } = recordingLogger();
    const browser = replicas.open({ db: withoutAudit, log }).browser();
    await browser.post("/login", ada);
    const session = browser.cookies.get("SESSION")!;
    deaf.on = true;
    const answer = await browser.post("/logout", {});
    deaf.on = false;
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?logout"]);
    browser.cookies.set("SESSION", session);
    expect((await browser.get(whoami, json)).status).toBe(401);
    const line = lines.find(({ level }) => level === "error");
    expect(line).toMatchObject({
      message: "audit event was not stored",
      fields: { type: "SIGNED_OUT", actor: "ada", address: "192.0.2.1" },
    });
  });

  it("lets nobody guess for longer: a wrong password is refused and counted", async () => {
    const browser = replicas.open({ db: withoutAudit }).browser();
    deaf.on = true;
    const answer = await browser.post("/login", { ...ada, password: "wrong" });
    deaf.on = false;
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?error"]);
  });
});
