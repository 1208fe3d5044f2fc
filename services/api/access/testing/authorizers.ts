import { ldapAuth, oauth2Auth } from "#services/api/access/testing/modes.ts";
import { afterAll, beforeAll } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { Config } from "#platform/config/schema.ts";
import type { AccessRequirement, Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { policyAuthorizer, type PolicyAuthorizerOptions } from "../permissions/authorize.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";

/** A database of the test file's own, and authorizers over it. */
export interface AccessUnderTest {
  readonly db: Database;
  /** What their clock says, milliseconds; it stands still. */
  now: number;
  /** Names of the statements that they ran. */
  requests: string[];
  /** By default of OAUTH2; `auth` is that part of the configuration. */
  authorizerOf(auth?: object, options?: PolicyAuthorizerOptions): Authorizer;
  /** A user whose only role has a policy of one statement. */
  userWith(...policy: Parameters<typeof policyOf>): Promise<Caller>;
}

/** Call it at the top of a test file; what it returns is there once the tests run. */
export function accessUnderTest(): AccessUnderTest {
  let t: TestDatabase;
  let names = 0;
  beforeAll(async () => void (t = await testDatabase()));
  afterAll(() => t.drop());
  const access: AccessUnderTest = {
    now: 0,
    requests: [],
    get db() {
      return t.db;
    },
    authorizerOf(auth = {}, options = {}) {
      const db = {
        query(statement: { name: string }, values: unknown[]) {
          access.requests.push(statement.name);
          return t.db.query(statement as never, values);
        },
      } as unknown as Database;
      const config = Config.parse({ auth: { ...oauth2Auth, ldap: ldapAuth.ldap, ...auth } });
      const clock = { ...systemClock, now: () => access.now };
      const deps = { config, db, clock, log: silentLogger, metrics: noMetrics };
      return policyAuthorizer(deps, options);
    },
    async userWith(...policy) {
      const name = `user ${names++}`;
      const { role } = await seedRole(t.db, name, policyOf(...policy));
      await seedUser(t.db, name, [role]);
      return user(name);
    },
  };
  return access;
}

/** Somebody with a session. */
export const user = (name: string, more: Partial<Caller> = {}): Caller => ({
  kind: "user",
  name,
  provider: "",
  credential: "session",
  ...more,
});

export const serviceKey: Caller = {
  ...user("ADMIN"),
  kind: "service-key",
  credential: "service-key",
};

export const collector: Caller = {
  ...user("nightly"),
  kind: "collector",
  credential: "collector-token",
  tokenOf: { kind: "collector", id: 1 },
};

/** The permission on tags of a resource. */
export const tags = (
  id: number,
  kind: "data_entity" | "alert" = "data_entity",
): AccessRequirement => ({
  permission: "DATA_ENTITY_TAGS_UPDATE",
  resource: { kind, id },
});

export const makePolicies: AccessRequirement = { permission: "POLICY_CREATE", resource: null };

/** What comes of a call: 200, or the status and message of the error. */
export function outcome(work: Promise<unknown>): Promise<200 | string> {
  return work.then(() => 200 as const, ({ status, message }) => `${status} ${message}`);
}
