import { beforeEach } from "vitest";
import type { Permission } from "#contract/permissions.ts";
import { open } from "#platform/operations/access.ts";
import { ownerAssociationRoutes } from "#services/api/features/owner-associations/routes.ts";
import { type Answer, testApi } from "#test/support/http/api.ts";
import { calledBy, type TestCaller } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

export const path = "/api/owner_association_request";

export const codeOf = ({ status, json }: Answer) => [status, json?.code];

/** The operations by which users are bound to owners; each test begins without owners. */
export function associationsUnderTest() {
  const feature = featureUnderTest(ownerAssociationRoutes);
  const { database } = feature;
  beforeEach(async () => {
    await database.db.query(
      `DELETE FROM owner_association_request; DELETE FROM user_owner; DELETE FROM owner_role;
       DELETE FROM owner`,
    );
  });

  /** The operations, called by somebody who holds these permissions. */
  function as(who: TestCaller, ...permissions: readonly Permission[]) {
    const authorizer = { ...open, permissionsOf: () => Promise.resolve(permissions) };
    const access = { authorizer, authenticator: { authenticate: () => Promise.reject() } };
    return testApi(
      calledBy(who, ownerAssociationRoutes(feature.context, { ...access, providers: [] })),
    );
  }
  const manager = () => as("manager", "OWNER_ASSOCIATION_MANAGE", "OWNER_RELATION_MANAGE");
  const ask = async (who: TestCaller, name: string) => (await as(who).post(path, { name })).json;
  const answer = (id: number, status: string, by = manager()) =>
    by.put(`${path}/${id}`, { status });

  /** Who is bound to which owner. */
  async function bound(): Promise<Record<string, string>> {
    const rows = await database.db.query<{ who: string; owner: string }>(
      `SELECT concat_ws('@', u.username, nullif(u.provider, '')) AS who, o.name AS owner
         FROM user_owner u JOIN owner o ON o.id = u.owner_id`,
    );
    return Object.fromEntries(rows.map(({ who, owner }) => [who, owner]));
  }

  /** Events of all requests, as `user event status by`, oldest first. */
  async function events(): Promise<string[]> {
    const lists = await Promise.all(
      ["RESOLVED", "PENDING"].map((status) =>
        manager().get(`${path}/activity?page=1&size=100&status=${status}`)
      ),
    );
    return lists.flatMap(({ json }) => json.items).sort((a, b) => a.activity_id - b.activity_id)
      .map((e) =>
        `${e.username} ${e.event_type} ${e.status} ${e.status_updated_by.identity.username}`
      );
  }

  async function giveRole(owner: string, role = "Administrator"): Promise<void> {
    await database.db.query(
      `WITH o AS (INSERT INTO owner (name) VALUES ($1)
         ON CONFLICT (name) DO UPDATE SET name = $1 RETURNING id)
       INSERT INTO owner_role (owner_id, role_id) SELECT o.id, r.id FROM o, role r WHERE r.name = $2`,
      [owner, role],
    );
  }
  return { anonymous: feature.api, database, as, manager, ask, answer, bound, events, giveRole };
}
