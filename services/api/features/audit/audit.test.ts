import { beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { recordAudit } from "#metadata/catalogue/audit.ts";
import { AuditEventList, auditRoutes } from "#services/api/features/audit/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api, database } = featureUnderTest(auditRoutes);

const ada = { kind: "user", name: "ada", provider: "ldap", address: "10.0.0.1" } as const;
const service = { kind: "service-key", name: "ADMIN", provider: "" } as const;

beforeAll(async () => {
  const { db } = database;
  const deps = { db, log: silentLogger };
  await recordAudit(deps, { type: "SIGNED_IN", actor: ada });
  await recordAudit(deps, { type: "TOKEN_MINTED", actor: ada, subject: "collector 1 nightly" });
  await recordAudit(deps, { type: "TOKEN_MINTED", actor: service, subject: "collector 2 shop" });
  await recordAudit(deps, {
    type: "SIGN_IN_FAILED",
    actor: { kind: "user", name: null, provider: "" },
  });
  await db.query(
    "UPDATE audit_event SET recorded_at = '2030-01-01Z'::timestamptz + id * '1 h'::interval",
  );
});

const list = async (query = "") =>
  AuditEventList.parse((await api.get(`/api/audit?${query}`)).json);
const types = async (query: string) => (await list(query)).items.map(({ type }) => type);

describe("getAuditEvents", () => {
  it("200: tells each event, newest first", async () => {
    const { items, page_info } = await list();
    expect(page_info).toEqual({ total: 4, hasNext: false });
    expect(items.map(({ id: _, ...item }) => item)).toEqual([
      {
        type: "SIGN_IN_FAILED",
        actor: null,
        actor_provider: null,
        actor_kind: "USER",
        address: null,
        subject: null,
        recorded_at: "2030-01-01T04:00:00.000Z",
      },
      {
        type: "TOKEN_MINTED",
        actor: "ADMIN",
        actor_provider: null,
        actor_kind: "SERVICE_KEY",
        address: null,
        subject: "collector 2 shop",
        recorded_at: "2030-01-01T03:00:00.000Z",
      },
      {
        type: "TOKEN_MINTED",
        actor: "ada",
        actor_provider: "ldap",
        actor_kind: "USER",
        address: "10.0.0.1",
        subject: "collector 1 nightly",
        recorded_at: "2030-01-01T02:00:00.000Z",
      },
      {
        type: "SIGNED_IN",
        actor: "ada",
        actor_provider: "ldap",
        actor_kind: "USER",
        address: "10.0.0.1",
        subject: null,
        recorded_at: "2030-01-01T01:00:00.000Z",
      },
    ]);
  });

  it("200: page by page", async () => {
    const second = await list("page=2&size=3");
    expect(second.items.map(({ type }) => type)).toEqual(["SIGNED_IN"]);
    expect(second.page_info).toEqual({ total: 4, hasNext: false });
    expect((await list("page=1&size=3")).page_info.hasNext).toBe(true);
  });

  it("200: by type, by whoever did it, by time", async () => {
    expect(await types("type=TOKEN_MINTED")).toHaveLength(2);
    expect(await types("actor=ada")).toEqual(["TOKEN_MINTED", "SIGNED_IN"]);
    expect(await types("actor=ad")).toEqual([]);
    expect(await types("actor=ada&type=SIGNED_IN")).toEqual(["SIGNED_IN"]);
    expect(await types("begin_date=2030-01-01T02:00:00Z&end_date=2030-01-01T04:00:00Z"))
      .toEqual(["TOKEN_MINTED", "TOKEN_MINTED"]);
  });

  it.each(["type=SIGNED", "page=0", "size=1001", "begin_date=today", "actor=%00"])(
    "400: %s",
    async (query) => expect((await api.get(`/api/audit?${query}`)).status).toBe(400),
  );
});
