import { describe, expect, it } from "vitest";
import { Silence, SilenceList } from "#contract/catalogue/alerts.ts";
import { notificationRoutes } from "#services/api/features/notifications/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity, seedNamespace } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(notificationRoutes);
const path = "/api/notifications/silences";
const until = "2999-01-01T00:00:00.000Z";

describe("createNotificationSilence", () => {
  it("200: keeps every condition", async () => {
    const entity_id = await seedEntity(database.db, {});
    const namespace_id = await seedNamespace(database.db, "quiet");
    const [owner] = await database.db.query<{ id: number }>(
      "INSERT INTO owner (name) VALUES ('ada') RETURNING id",
    );
    const owner_id = owner!.id;
    const conditions = { entity_id, namespace_id, owner_id, alert_type: "FAILED_JOB" };
    const answer = await api.post(path, {
      ...conditions,
      until: "2999-01-01T02:00:00+02:00",
      comment: " a planned move ",
    });
    expect(answer.status).toBe(200);
    expect(Silence.parse(answer.json)).toMatchObject({
      ...conditions,
      until,
      active: true,
      comment: "a planned move",
      created_by: null,
    });
  });

  it("200: one condition is enough, for an entity that is only referred to as well", async () => {
    const entity_id = await seedEntity(database.db, { hollow: true });
    for (const condition of [{ entity_id }, { alert_type: "DISTRIBUTION_ANOMALY" }]) {
      const answer = await api.post(path, { ...condition, until });
      expect([answer.status, Silence.parse(answer.json).until]).toEqual([200, until]);
    }
  });

  it.each([
    [{ until }, "entity_id"],
    [{ until, entity_id: null, comment: "nothing named" }, "entity_id"],
    [{ until, entity_id: "1" }, "entity_id"],
    [{ until, entity_id: 999_999 }, "entity_id"],
    [{ until, namespace_id: 999_999 }, "namespace_id"],
    [{ until, owner_id: 999_999 }, "owner_id"],
    [{ until, alert_type: "FAILED" }, "alert_type"],
    [{ alert_type: "FAILED_JOB" }, "until"],
    [{ alert_type: "FAILED_JOB", until: "2999-01-01" }, "until"],
    [{ alert_type: "FAILED_JOB", until: "2020-01-01T00:00:00Z" }, "until"],
    [{ alert_type: "FAILED_JOB", until, comment: "a\0b" }, "comment"],
  ])("400: %j names %s", async (body, field) => {
    const answer = await api.post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "USR001", details: [{ field }] });
  });

  it("400: a condition that is unknown to this release is not ignored", async () => {
    const answer = await api.post(path, { alert_type: "FAILED_JOB", until, tag_id: 1 });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("tag_id");
  });
});

describe("getNotificationSilences, deleteNotificationSilence", () => {
  it("200, 204, 404: pages by their end, tells the active from the ended, and ends one", async () => {
    await database.db.query("DELETE FROM silence");
    await database.db.query(
      `INSERT INTO silence (alert_type, until) VALUES (1, '2020-01-01Z'), (2, '2998-01-01Z')`,
    );
    const { id } = (await api.post(path, { alert_type: "FAILED_JOB", until })).json;
    const types = async (query: string) => {
      const { items, page_info } = SilenceList.parse((await api.get(`${path}?${query}`)).json);
      return [items.map((silence) => [silence.alert_type, silence.active]), page_info];
    };
    expect(await types("page=1&size=2")).toEqual([
      [["FAILED_JOB", true], ["FAILED_DQ_TEST", true]],
      { total: 3, hasNext: true },
    ]);
    expect(await types("page=1&size=9&active=false")).toEqual([
      [["BACKWARDS_INCOMPATIBLE_SCHEMA", false]],
      { total: 1, hasNext: false },
    ]);
    expect((await api.delete(`${path}/${id}`)).status).toBe(204);
    expect((await api.delete(`${path}/${id}`)).json.code).toBe("USR002");
    expect(await types("page=1&size=9&active=true")).toEqual([
      [["FAILED_DQ_TEST", true]],
      { total: 1, hasNext: false },
    ]);
  });

  it("400: wrong pages, choices and ids", async () => {
    expect((await api.get(`${path}?size=0`)).json.details[0].field).toBe("size");
    expect((await api.get(`${path}?page=1&size=1&active=yes`)).json.details[0].field).toBe(
      "active",
    );
    expect((await api.delete(`${path}/one`)).json.details[0].field).toBe("silence_id");
  });
});
