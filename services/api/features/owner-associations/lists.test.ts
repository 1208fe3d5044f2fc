import { describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { open } from "#platform/operations/access.ts";
import { listProviders } from "#services/api/features/owner-associations/service.ts";
import { whoami } from "#services/api/features/identity/service.ts";
import { callerFrom } from "#test/support/http/caller.ts";
import {
  associationsUnderTest,
  path,
} from "#services/api/features/owner-associations/testing/associations.ts";

const { anonymous, answer, ask, database, manager } = associationsUnderTest();

describe("getOwnerAssociationRequestList, getOwnerAssociationRequestActivityList", () => {
  const list = async (query: string, place = path) =>
    (await manager().get(`${place}?page=1&size=50&${query}`)).json;
  const names = async (query: string) =>
    (await list(query)).items.map(({ username }: { username: string }) => username);

  it("200: by status, newest first, by part of a user's or owner's name, in pages", async () => {
    const approved = await ask("ada", "Team_A");
    const declined = await ask("bob", "Team B");
    await ask("eve", "Others");
    await answer(approved.id, "APPROVED");
    await answer(declined.id, "DECLINED");
    expect(await names("status=PENDING")).toEqual(["eve"]);
    expect(await names("status=APPROVED")).toEqual(["ada"]);
    expect(await names("status=DECLINED")).toEqual(["bob"]);
    expect(await names("status=RESOLVED")).toEqual(["bob", "ada"]);
    expect(await names("status=RESOLVED&query=TEAM")).toEqual(["bob", "ada"]);
    expect(await names("status=RESOLVED&query=m_a")).toEqual(["ada"]);
    expect(await names("status=RESOLVED&query=Bo")).toEqual(["bob"]);
    await database.db.query("UPDATE owner SET name = 'Renamed' WHERE name = 'Team B'");
    expect((await list("status=DECLINED&query=renamed")).items[0].owner_name).toBe("Renamed");
    const second = await manager().get(`${path}?page=2&size=1&status=RESOLVED`);
    expect(second.json.items[0].username).toBe("ada");
    expect(second.json.page_info).toEqual({ total: 2, hasNext: false });
    const history = await list("status=RESOLVED&query=ada", `${path}/activity`);
    expect(history.items).toHaveLength(1);
    expect(history.items[0]).toMatchObject({
      id: approved.id,
      event_type: "REQUEST_APPROVED",
      status: "APPROVED",
      status_updated_by: { identity: { username: "manager" } },
      status_updated_at: expect.any(String),
    });
    const begun = await list("status=PENDING", `${path}/activity`);
    expect(begun.items.map(({ username }: { username: string }) => username))
      .toEqual(["eve", "bob", "ada"]);
  });

  it.each(["", "page=1&size=1", "page=1&size=1&status=OPEN", "size=1&status=PENDING"])(
    "400: %s",
    async (query) => {
      for (const place of [path, `${path}/activity`]) {
        expect((await manager().get(`${place}?${query}`)).status).toBe(400);
      }
    },
  );
});

describe("getAuthProviders", () => {
  it("200: names in common use; none is active where nobody signs in", async () => {
    const { json } = await anonymous.get("/api/owners/providers");
    expect(json.default_providers).toContain("github");
    expect(json.active_providers).toEqual([]);
  });

  it("tells what people sign in with", () => {
    const config = Config.parse({ auth: { type: "LOGIN_FORM" } });
    expect(listProviders({ config }, []).active_providers).toEqual(["LOGIN_FORM"]);
    const oauth2 = { ...config, auth: { ...config.auth, type: "OAUTH2" as const } };
    expect(listProviders({ config: oauth2 }, ["company"]).active_providers).toEqual(["company"]);
  });
});

it("whoami tells the newest request of the caller, and of nobody else", async () => {
  const { db } = database;
  const deps = { db, authorizer: open };
  expect(await whoami(deps, callerFrom("ada"))).not.toHaveProperty("association_request");
  const { id } = await ask("ada", "Team");
  expect(await whoami(deps, callerFrom("ada"))).toMatchObject({
    association_request: { id, status: "PENDING", owner_name: "Team" },
  });
  await answer(id, "APPROVED");
  expect(await whoami(deps, callerFrom("ada"))).toMatchObject({
    owner: { name: "Team" },
    association_request: { id, status: "APPROVED" },
  });
  const key: Caller = { ...callerFrom("ada"), kind: "service-key" };
  expect(Object.keys(await whoami(deps, key))).toEqual(["identity"]);
});
