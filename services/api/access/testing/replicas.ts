import { afterAll, beforeAll } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import type { Cache } from "#cache/port.ts";
import { digestOf } from "#kit/secret.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { newPersonalToken } from "#services/api/access/callers/personal-tokens.ts";
import { openAccess } from "#services/api/access/service.ts";
import { appWith } from "#services/api/access/testing/app.ts";
import { Browser } from "#test/support/sign-in/browser.ts";
import { identityRoutes } from "#services/api/features/identity/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testContext } from "#test/support/http/api.ts";

export const newCache = () => memoryCache({ metrics: noMetrics });
export const whoami = "/api/identity/whoami";
export const ada = { username: "ada", password: "correct horse" };
export const bob = {
  username: "bob",
  password: "tr0ub4dor&3",
  hash: "$2b$04$ThvG2P9WrafU/xQZelACiejKiZE/PD5EN7EKATRmmbbW6Yu9Wigpi",
};
const credentials = `${ada.username}:${ada.password},${bob.username}:${bob.hash}`;

export interface ReplicaOptions {
  cache?: Cache;
  /** Laid over the configuration of LOGIN_FORM with two users. */
  auth?: object;
  session?: object;
  server?: object;
  /** Address that people use. */
  base?: string;
  /** Instead of those about the caller. */
  routes?: Route[];
  /** Instead of the file's own database. */
  db?: (own: Database) => Database;
  log?: Logger;
}

/** Replicas of a catalogue with LOGIN_FORM, over the file's own database and a clock moved by hand. */
export function replicas() {
  let database: TestDatabase;
  const opened: Context[] = [];
  let now = Date.parse("2026-01-01T00:00:00Z");
  const slept: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void slept.push(ms));
  const clock = { now: () => now, sleep };

  beforeAll(async () => void (database = await testDatabase()));
  afterAll(async () => {
    for (const { wakeups } of opened) await wakeups.close();
    await database.drop();
  });

  return {
    /** One replica; those with one cache share sessions in it. */
    open(options: ReplicaOptions = {}) {
      const { cache = newCache(), auth = {}, session = {}, server = {} } = options;
      const { base, routes, db, log } = options;
      const config = Config.parse({
        instance: database.name,
        auth: { type: "LOGIN_FORM", "login-form-credentials": credentials, ...auth },
        session,
        server,
        cache: { redis: { url: "redis://127.0.0.1:1" } },
      });
      const baseUrl = () => base ?? "http://localhost:8080";
      const more = { ...(db ? { db: db(database.db) } : {}), ...(log ? { log } : {}) };
      const context = testContext(database, { config, cache, clock, baseUrl, ...more });
      opened.push(context);
      const fetch = appWith(openAccess(context), routes ?? identityRoutes(context), context);
      return {
        fetch,
        browser: (address?: string, origin?: string) => new Browser(fetch, address, origin),
        mint: (username: string, provider = "") => mint(database.db, username, provider),
      };
    },
    get db() {
      return database.db;
    },
    get url() {
      return database.url;
    },
    /** What was waited for since the call of this, milliseconds each. */
    waits() {
      const before = slept.length;
      return () => slept.slice(before);
    },
    pass: (minutes: number) => void (now += minutes * 60_000),
    /** Actors and addresses of what was retained for auditors, oldest first. */
    audited: (type: string) =>
      database.db.query<{ actor: string; address: string }>(
        "SELECT actor, address FROM audit_event WHERE type = $1 ORDER BY id",
        [type],
      ),
  };
}

/** A personal token of a user. */
async function mint(db: Database, username: string, provider: string): Promise<string> {
  const value = newPersonalToken();
  await db.query(
    `WITH a AS (INSERT INTO account (username, provider, admin) VALUES ($1, $2, true)
       ON CONFLICT DO NOTHING)
     INSERT INTO personal_token (username, provider, name, scope, digest, hint)
     VALUES ($1, $2, $3, 'ALL', $4, 'hint')`,
    [username, provider, value, digestOf(value)],
  );
  return value;
}
