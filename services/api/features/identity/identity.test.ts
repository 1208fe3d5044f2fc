import { expect, test } from "vitest";
import type { Actor } from "#contract/actor.ts";
import { furtherPermissions, isPublished, permissions } from "#contract/permissions.ts";
import { Config } from "#platform/config/schema.ts";
import { open } from "#platform/operations/access.ts";
import { identityRoutes } from "#services/api/features/identity/routes.ts";
import { activeFeatures, whoami } from "#services/api/features/identity/service.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import manifest from "../../../../package.json" with { type: "json" };

const { api, database } = featureUnderTest(identityRoutes);

test("whoami 200: an anonymous caller is admin with every permission and no owner", async () => {
  const answer = await api.get("/api/identity/whoami");
  expect(answer.status).toBe(200);
  const published = permissions.filter(isPublished);
  expect(answer.json).toEqual({
    identity: {
      username: "admin",
      permissions: published,
      further_permissions: furtherPermissions,
    },
  });
  expect(published).toHaveLength(75);
});

test("whoami: a user bound to an owner is told of it", async () => {
  await database.db.query(
    `WITH o AS (INSERT INTO owner (name) VALUES ('Data Team') RETURNING id)
     INSERT INTO user_owner (username, owner_id) SELECT 'ada', id FROM o`,
  );
  const { db } = database;
  const user = (name: string): Actor => ({ kind: "user", name, provider: "" });
  const ada = await whoami({ db, authorizer: open }, user("ada"));
  expect(ada).toMatchObject({ identity: { username: "ada" }, owner: { name: "Data Team" } });
  expect(await whoami({ db, authorizer: open }, user("bob"))).not.toHaveProperty("owner");
});

test("getAppInfo 200: the versions of product and interface, and how callers sign in", async () => {
  const answer = await api.get("/api/appInfo");
  expect(answer.json).toEqual({
    projectVersion: manifest.version,
    contractVersion: "0.29.0",
    authType: "DISABLED",
  });
});

test("getActiveFeatures 200: what the configuration switches on", async () => {
  expect((await api.get("/api/features/active")).json).toEqual({ items: [] });
  const config = Config.parse({ notifications: { enabled: true } });
  expect(activeFeatures({ config })).toEqual({ items: ["ALERT_NOTIFICATIONS"] });
});
