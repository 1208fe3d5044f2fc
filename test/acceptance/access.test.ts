import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import { type Permission, permissionsByResource } from "#contract/permissions.ts";
import { systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { digestOf } from "#kit/secret.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { openAccess } from "#services/api/access/service.ts";
import { databaseStore, Sessions } from "#services/api/access/sessions/sessions.ts";
import { appWith } from "#services/api/access/testing/app.ts";
import { ldapAuth, oauth2Auth } from "#services/api/access/testing/modes.ts";
import { Browser } from "#test/support/sign-in/browser.ts";
import { publishedRoutes } from "#services/api/openapi.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testContext } from "#test/support/http/api.ts";

/** A row of the table of operations in docs/operate/permissions.md. */
interface Row {
  id: string;
  method: string;
  path: string;
  needs: string;
}

const documented = (): Row[] =>
  readFileSync("docs/operate/permissions.md", "utf8").split("\n").flatMap((line) => {
    const found = /^\| `(\w+)` \| `([A-Z]+) ([^`]+)` \| ([^|]+) \|/.exec(line);
    return found
      ? [{ id: found[1]!, method: found[2]!, path: found[3]!, needs: found[4]!.trim() }]
      : [];
  });

const modes: Record<string, { auth: object; asks: boolean }> = {
  DISABLED: { auth: { type: "DISABLED" }, asks: false },
  LOGIN_FORM: { auth: { type: "LOGIN_FORM" }, asks: false },
  "LOGIN_FORM with all gates": {
    auth: { type: "LOGIN_FORM", "enforce-all-gates": true },
    asks: true,
  },
  OAUTH2: { auth: oauth2Auth, asks: true },
  LDAP: { auth: ldapAuth, asks: true },
};
/** Whose people they are; those of the configuration have no provider. */
const providers: Record<string, string> = { OAUTH2: "company", LDAP: "ldap" };
const everyone = [
  "anonymous",
  "without permission",
  "with permission",
  "service key",
  "personal token",
  "reading token",
  "collector token",
] as const;
type CallerKind = (typeof everyone)[number];

const serviceKey = "key of a service";
const collectorToken = "token-of-a-collector";

/** The status that the table promises, or "allowed". */
function promised(row: Row, route: Route, who: CallerKind, mode: string): number | "allowed" {
  const { needs } = row;
  if (mode === "DISABLED" || needs === "anyone" || needs.startsWith("collector")) return "allowed";
  if (who === "anonymous") return 401;
  if (who === "collector token") return 403;
  const writes = row.method !== "GET" && !route.spec.reads;
  if (who === "reading token" && writes) return 403;
  const permission = /^`([A-Z_]+)`/.exec(needs)?.[1];
  const { asks, auth } = modes[mode]!;
  const dormant = needs.includes("dormant") && !("enforce-all-gates" in auth);
  const isRequired = permission !== undefined && asks && !dormant;
  return isRequired && who === "without permission" ? 403 : "allowed";
}

describe.each(Object.keys(modes))("every operation under %s", (mode) => {
  let database: TestDatabase;
  let context: Context;
  let send: (who: CallerKind, row: Row, permission: string | undefined) => Promise<Response>;
  const routes = publishedRoutes().map(({ spec }): Route => ({
    spec,
    handler: () => Promise.resolve({ status: 204 }),
  }));
  const routeOf = (row: Row) => routes.find(({ spec }) => spec.id === row.id)!;

  beforeAll(async () => {
    database = await testDatabase();
    const provider = providers[mode] ?? "";
    await makePeople(database, provider);
    const s2s = { enabled: true, token: serviceKey };
    const session = { provider: "INTERNAL_POSTGRESQL" };
    const credentials = people().map(({ name }) => `${name}:x`).join(",");
    const auth = { s2s, "login-form-credentials": credentials, ...modes[mode]!.auth };
    const config = Config.parse({ instance: database.name, auth, session });
    const cache = memoryCache({ metrics: noMetrics });
    context = testContext(database, { config, cache });
    const fetch = appWith(openAccess(context), routes, context);
    const cookies = new Map<string, string>();
    let networks = 0;
    const sessions = new Sessions({
      store: databaseStore(database.db, systemClock),
      clock: systemClock,
      idleMs: 3_600_000,
      absoluteMs: 3_600_000,
    });
    send = async (who, row, permission) => {
      const name = personOf(who === "without permission", permission);
      // A network that is refused often is answered late, so each anonymous request has its own.
      const network = who === "anonymous" ? ++networks : everyone.indexOf(who);
      const browser = new Browser(fetch, `198.18.${network >> 8}.${network & 255}`);
      const headers: Record<string, string> = { accept: "application/json" };
      if (who === "service key") headers["x-api-key"] = serviceKey;
      if (who === "collector token") headers.authorization = `Bearer ${collectorToken}`;
      if (who === "personal token") headers.authorization = `Bearer ${tokenOf(name, "ALL")}`;
      if (who === "reading token") headers.authorization = `Bearer ${tokenOf(name, "READ")}`;
      if (who === "with permission" || who === "without permission") {
        if (!cookies.has(name)) {
          cookies.set(name, await sessions.begin({ username: name, provider, admin: false }));
        }
        browser.cookies.set("SESSION", cookies.get(name)!);
      }
      return await browser.send(row.method, filled(row.path), undefined, headers);
    };
  });
  afterAll(async () => {
    await context.wakeups.close();
    await database.drop();
  });

  it("the table has every operation, and nothing else", () => {
    const declared = routes.map(({ spec }) => `${spec.id} ${spec.method} ${spec.path}`).sort();
    const listed = documented().map((r) => `${r.id} ${r.method.toLowerCase()} ${r.path}`).sort();
    expect(listed).toEqual(declared);
  });

  it.each(everyone)("%s gets what the table promises", async (who) => {
    const wrong: string[] = [];
    for (const row of documented()) {
      const route = routeOf(row);
      const access = route.spec.access as string | { permission: Permission };
      const permission = typeof access === "string" ? undefined : access.permission;
      const { status } = await send(who, row, permission);
      const expected = promised(row, route, who, mode);
      const got = status === 401 || status === 403 ? status : "allowed";
      if (got !== expected) wrong.push(`${row.id}: ${status} instead of ${expected}`);
    }
    expect(wrong).toEqual([]);
  });
});

it("a token that may only read may search and ask, and call nothing else that is no GET", () => {
  const reading = publishedRoutes().filter(({ spec }) => spec.reads).map(({ spec }) => spec.id);
  expect(reading.sort()).toEqual([
    "batchGetDataHubEntities",
    "genAiQuestion",
    "getFavoriteStatus",
    "getRecentlyViewedStatus",
    "queryExamplesSearch",
    "referenceDataSearch",
    "search",
    "termSearch",
    "updateQueryExampleSearchFacetList",
    "updateReferenceDataSearchFacetList",
    "updateSearchFacets",
    "updateTermSearchFacets",
  ]);
});

/** A path with parameters that an operation can take. */
function filled(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (/^(search|upload|message|delivery)_id$/.test(name)) return crypto.randomUUID();
    if (name === "permission_resource_type") return "DATA_ENTITY";
    return /(^|_)id$/.test(name) ? "1" : "x";
  });
}

/** Whoever has just this permission, or all but it; `anybody` has none. */
const personOf = (without: boolean, permission: string | undefined) =>
  permission === undefined ? "anybody" : `${without ? "all but" : "only"} ${permission}`;

const tokenOf = (name: string, scope: string) => {
  const hex = [...digestOf(`${scope} ${name}`)].map((b) => b.toString(16).padStart(2, "0")).join(
    "",
  );
  return `trb_${hex.slice(0, 40)}`;
};

/** For each permission a user with just it, and one with all others. */
function people() {
  const all = [{ name: "anybody", document: policyOf(() => false) }];
  for (const permission of Object.values(permissionsByResource).flat()) {
    all.push(
      { name: personOf(false, permission), document: policyOf((one) => one === permission) },
      { name: personOf(true, permission), document: policyOf((one) => one !== permission) },
    );
  }
  return all;
}

/** Makes them, each with tokens of both scopes. */
async function makePeople({ db }: TestDatabase, provider: string): Promise<void> {
  const names = people().map(({ name }) => name);
  const documents = people().map(({ document }) => document);
  await db.query(
    `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[]) AS g (name, document)),
       p AS (INSERT INTO policy (name, document)
         SELECT name, document FROM given WHERE document <> '' RETURNING id, name),
       r AS (INSERT INTO role (name) SELECT name FROM given RETURNING id, name),
       o AS (INSERT INTO owner (name) SELECT name FROM given RETURNING id, name),
       rp AS (INSERT INTO role_policy SELECT r.id, p.id FROM r JOIN p USING (name)),
       owr AS (INSERT INTO owner_role SELECT o.id, r.id FROM o JOIN r USING (name))
     INSERT INTO user_owner (username, provider, owner_id) SELECT name, $3, id FROM o`,
    [names, documents, provider],
  );
  const tokens = names.flatMap((name) => ["ALL", "READ"].map((scope) => ({ name, scope })));
  await db.query(
    `WITH a AS (INSERT INTO account (username, provider, admin)
       SELECT unnest($1::text[]), $5, false RETURNING 1)
     INSERT INTO personal_token (username, provider, name, scope, digest, hint)
     SELECT username, $5, scope, scope, digest, '' FROM unnest($2::text[], $3::text[], $4::bytea[])
       AS t (username, scope, digest)`,
    [
      names,
      tokens.map(({ name }) => name),
      tokens.map(({ scope }) => scope),
      tokens.map(({ name, scope }) => digestOf(tokenOf(name, scope))),
      provider,
    ],
  );
  await db.query(
    `WITH t AS (INSERT INTO token (digest, hint) VALUES ($1, '') RETURNING id)
     INSERT INTO collector (name, token_id) SELECT 'one', id FROM t`,
    [digestOf(collectorToken)],
  );
}

/** A document that grants these permissions; empty for none. */
function policyOf(granted: (permission: Permission) => boolean): string {
  const statements = Object.entries(permissionsByResource).flatMap(([type, all]) => {
    const permissions = (all as readonly Permission[]).filter(granted);
    return permissions.length > 0 ? [{ resource: { type }, permissions }] : [];
  });
  return statements.length > 0 ? JSON.stringify({ statements }) : "";
}
