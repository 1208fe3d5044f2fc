import { describe, expect, it } from "vitest";
import { Alert, DataEntityAlertConfig } from "#contract/catalogue/alerts.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { eventsOf } from "#test/support/seed/catalogue.ts";
import { eventually } from "#test/support/eventually.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedAlert, seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest((context) => calledBy("ada", alertRoutes(context)));

const put = (alert: number, status: string) => api.put(`/api/alerts/${alert}/status`, { status });
const announced = (alert: number) =>
  database.db.query(
    "SELECT entity_id, alert_type, event_type, updated_by FROM alert_event WHERE alert_id = $1 ORDER BY id",
    [alert],
  );

describe("changeAlertStatus", () => {
  it("200: resolves and opens again, announced and recorded with who did it", async () => {
    const entity = await seedEntity(database.db);
    const alert = await seedAlert(database.db, entity, { type: 3 });
    const resolved = await put(alert, "RESOLVED");
    expect(resolved.status).toBe(200);
    expect(Alert.parse(resolved.json)).toMatchObject({
      id: alert,
      status: "RESOLVED",
      status_updated_by: { identity: { username: "ada" } },
      status_updated_at: expect.any(String),
    });
    expect((await put(alert, "RESOLVED_AUTOMATICALLY")).json.status).toBe("RESOLVED_AUTOMATICALLY");
    expect((await put(alert, "OPEN")).json.status).toBe("OPEN");
    const event = { entity_id: entity, alert_type: 3, updated_by: "ada" };
    expect(await announced(alert)).toEqual([
      { ...event, event_type: "RESOLVED" },
      { ...event, event_type: "RESOLVED_AUTOMATICALLY" },
      { ...event, event_type: "REOPENED" },
    ]);
    const state = (status: string) => ({ alert_status_updated: { type: "FAILED_JOB", status } });
    const statusChange = (from: string, to: string) => ({
      event_type: "ALERT_STATUS_UPDATED",
      old_state: state(from),
      new_state: state(to),
    });
    expect(await eventsOf(database.db, entity)).toEqual([
      statusChange("OPEN", "RESOLVED"),
      statusChange("RESOLVED", "RESOLVED_AUTOMATICALLY"),
      statusChange("RESOLVED_AUTOMATICALLY", "OPEN"),
    ]);
  });

  it("200: the status that it has is taken, changes nothing and is told to nobody", async () => {
    const entity = await seedEntity(database.db);
    const alert = await seedAlert(database.db, entity);
    const answer = await put(alert, "OPEN");
    expect([answer.status, answer.json.status_updated_at]).toEqual([200, null]);
    expect(await announced(alert)).toEqual([]);
    expect(await eventsOf(database.db, entity)).toEqual([]);
  });

  it("400: opening beside an open one about the same thing, and nothing is written", async () => {
    const entity = await seedEntity(database.db);
    const test = await seedEntity(database.db, { type: "JOB", classes: [4] });
    const closed = await seedAlert(database.db, entity, { type: 2, messenger: test, status: 2 });
    const open = await seedAlert(database.db, entity, { type: 2, messenger: test });
    const answer = await put(closed, "OPEN");
    expect([answer.status, answer.json.code, answer.json.details[0].field])
      .toEqual([400, "USR003", "status"]);
    expect(answer.json.message).toContain(`alert ${open}`);
    expect(await announced(closed)).toEqual([]);
    expect(await eventsOf(database.db, entity)).toEqual([]);
  });

  it("200: opening beside an open one of another test, another type, or an anomaly", async () => {
    const entity = await seedEntity(database.db);
    const tests = [await seedEntity(database.db), await seedEntity(database.db)];
    await seedAlert(database.db, entity, { type: 2, messenger: tests[0] });
    await seedAlert(database.db, entity, { type: 4 });
    const others = [
      await seedAlert(database.db, entity, { type: 2, messenger: tests[1], status: 2 }),
      await seedAlert(database.db, entity, { type: 3, status: 3 }),
      await seedAlert(database.db, entity, { type: 4, status: 2 }),
    ];
    for (const other of others) expect((await put(other, "OPEN")).status).toBe(200);
  });

  it("200: an alert of no entity is resolved like any other", async () => {
    const orphan = await seedAlert(database.db, null, { type: 4 });
    const answer = await put(orphan, "RESOLVED");
    expect(Alert.parse(answer.json)).toMatchObject({ status: "RESOLVED", data_entity: null });
    expect(await announced(orphan)).toMatchObject([{ entity_id: null, event_type: "RESOLVED" }]);
  });

  it("200: of many at once one changes it", async () => {
    const alert = await seedAlert(database.db, await seedEntity(database.db));
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(alert, "RESOLVED")));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(await announced(alert)).toHaveLength(1);
  });

  it("200, 400: of two about the same thing that are opened at once one stays closed", async () => {
    for (let n = 0; n < 5; n++) {
      const entity = await seedEntity(database.db);
      const twins = [
        await seedAlert(database.db, entity, { status: 2 }),
        await seedAlert(database.db, entity, { status: 3 }),
      ];
      const answers = await Promise.all(twins.map((twin) => put(twin, "OPEN")));
      const refused = answers.find((answer) => answer.status !== 200)!;
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
      expect([refused.status, refused.json.code, refused.json.details[0].field])
        .toEqual([400, "USR003", "status"]);
      expect(await eventsOf(database.db, entity)).toHaveLength(1);
    }
  });

  it("400: opening while ingestion opens its twin names that one", async () => {
    const { db } = database;
    const entity = await seedEntity(db);
    const closed = await seedAlert(db, entity, { status: 2 });
    let answering: ReturnType<typeof put> | undefined;
    const twin = await db.transaction(async (tx) => {
      const opened = await seedAlert(tx, entity);
      answering = put(closed, "OPEN");
      await eventually(async () => {
        const waiting = await db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
              AND wait_event_type = 'Lock' AND query LIKE '%UPDATE alert SET status%'`,
        );
        expect(waiting).toHaveLength(1);
      });
      return opened;
    });
    const answer = await answering!;
    expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
    expect(answer.json.message).toContain(`alert ${twin}`);
    expect(await announced(closed)).toEqual([]);
  });

  it("404 for an unknown alert, 400 for an unknown status", async () => {
    expect((await put(999_999, "OPEN")).status).toBe(404);
    const answer = await put(1, "CLOSED");
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "status"]);
  });
});

describe("getAlertConfig, updateAlertConfig", () => {
  const none = {
    failed_job_halt_until: null,
    failed_dq_test_halt_until: null,
    incompatible_schema_halt_until: null,
    distribution_anomaly_halt_until: null,
  };

  it("200: all null until set; replaced as a whole, recorded when it changes", async () => {
    const entity = await seedEntity(database.db);
    const path = `/api/dataentities/${entity}/alert_config`;
    expect((await api.get(path)).json).toEqual(none);
    const time = "2030-01-01T00:00:00.000Z";
    const first = await api.put(path, { failed_job_halt_until: "2030-01-01T01:00:00+01:00" });
    expect([first.status, DataEntityAlertConfig.parse(first.json)])
      .toEqual([200, { ...none, failed_job_halt_until: time }]);
    await api.put(path, { failed_job_halt_until: time });
    await api.put(path, { failed_dq_test_halt_until: time, failed_job_halt_until: null });
    const last = { ...none, failed_dq_test_halt_until: time };
    expect((await api.get(path)).json).toEqual(last);
    const state = (config: object) => ({ alert_halt_config: config });
    expect(await eventsOf(database.db, entity)).toMatchObject([
      { old_state: state(none), new_state: state({ ...none, failed_job_halt_until: time }) },
      { old_state: state({ ...none, failed_job_halt_until: time }), new_state: state(last) },
    ]);
  });

  it("404 for an unknown and for a hollow entity, 400 for what is no time", async () => {
    for (const id of [999_999, await seedEntity(database.db, { hollow: true })]) {
      const path = `/api/dataentities/${id}/alert_config`;
      expect((await api.get(path)).status).toBe(404);
      expect((await api.put(path, {})).status).toBe(404);
    }
    const entity = await seedEntity(database.db);
    const wrong = await api.put(`/api/dataentities/${entity}/alert_config`, {
      distribution_anomaly_halt_until: "tomorrow",
    });
    expect([wrong.status, wrong.json.details[0].field])
      .toEqual([400, "distribution_anomaly_halt_until"]);
  });
});
