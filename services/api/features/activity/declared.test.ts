import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { Config } from "#platform/config/schema.ts";
import { publishedRoutes } from "#services/api/openapi.ts";
import { createFeatures, type Feature } from "#services/api/features.ts";
import type { Case } from "#services/api/features/activity/testing/case.ts";
import { describingCases } from "#services/api/features/activity/testing/describing-cases.ts";
import { lookupTableCases } from "#services/api/features/activity/testing/lookup-table-cases.ts";
import { mergeCases } from "#services/api/features/activity/testing/merge-cases.ts";
import { peopleCases } from "#services/api/features/activity/testing/people-cases.ts";
import { termCases } from "#services/api/features/activity/testing/term-cases.ts";
import { qualityCases } from "#services/api/features/activity/testing/quality-cases.ts";
import { silent } from "#services/api/features/activity/testing/silent.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedAlert, seedEntity } from "#test/support/seed/seed.ts";

let t: TestDatabase;
let api: TestApi;
let features: Feature[];
let close: () => Promise<void>;

beforeAll(async () => {
  t = await testDatabase();
  const config = Config.parse({ instance: t.name, alerts: { deduplicate: true } });
  const context = testContext(t, { config, graph: new PostgresGraph(t.db) });
  features = createFeatures(context);
  api = testApi(features.flatMap((feature) => feature.routes), context);
  close = () => context.wakeups.close();
});
afterAll(async () => {
  for (const feature of features) feature.stop?.();
  await close();
  await t.drop();
});

const nobody = 999_999_999;
const groupForm = (name: string, ...members: number[]) => ({
  name,
  type: { id: 22, name: "DOMAIN" },
  entities: members.map((id) => ({ id })),
});
const groupOf = async (...members: number[]): Promise<number> =>
  (await api.post("/api/dataentitygroups", groupForm("made by hand", ...members))).json.id;
const routed = (name: string, status = "firing") => ({ status, labels: { entity_catrn: name } });

/** The alert router, at each of its paths. */
function routing(path: string): Case {
  const route = (...alerts: object[]) => api.post(path, { alerts });
  return {
    done: async () => {
      const [known, fresh] = [crypto.randomUUID(), crypto.randomUUID()];
      await route(routed(known));
      return [
        () => route(routed(known), routed(`${fresh}/a`)),
        () => route(routed(known, "resolved")),
        () => route(routed(`${fresh}/b`), routed(`${fresh}/b`, "resolved")),
      ];
    },
    refused: () => route(routed("//a"), { startsAt: "soon" }),
  };
}

/** Every operation that declares events, by its id. */
const cases: Record<string, Case> = {
  updateStatus: {
    done: async () => {
      const id = await seedEntity(t.db);
      return [() => api.put(`/api/dataentities/${id}/statuses`, { status: { status: "DELETED" } })];
    },
    refused: () =>
      api.put(`/api/dataentities/${nobody}/statuses`, { status: { status: "STABLE" } }),
  },
  createDataEntityGroup: {
    done: async () => {
      const id = await seedEntity(t.db);
      return [() => api.post("/api/dataentitygroups", groupForm("new", id))];
    },
    refused: () => api.post("/api/dataentitygroups", groupForm("new", nobody)),
  },
  updateDataEntityGroup: {
    done: async () => {
      const [id, member] = [await groupOf(), await seedEntity(t.db)];
      return [() => api.put(`/api/dataentitygroups/${id}`, groupForm("other", member))];
    },
    refused: async () =>
      await api.put(`/api/dataentitygroups/${await seedEntity(t.db)}`, groupForm("other")),
  },
  addDataEntityDataEntityGroup: {
    done: async () => {
      const form = { data_entity_group_id: await groupOf() };
      const id = await seedEntity(t.db);
      return [() => api.post(`/api/dataentities/${id}/data_entity_group`, form)];
    },
    refused: async () =>
      await api.post(`/api/dataentities/${await seedEntity(t.db)}/data_entity_group`, {
        data_entity_group_id: nobody,
      }),
  },
  deleteDataEntityFromDataEntityGroup: {
    done: async () => {
      const id = await seedEntity(t.db);
      const group = await groupOf(id);
      return [() => api.delete(`/api/dataentities/${id}/data_entity_group/${group}`)];
    },
    refused: async () =>
      await api.delete(`/api/dataentities/${await seedEntity(t.db)}/data_entity_group/${nobody}`),
  },
  changeAlertStatus: {
    done: async () => {
      const id = await seedAlert(t.db, await seedEntity(t.db));
      return [() => api.put(`/api/alerts/${id}/status`, { status: "RESOLVED" })];
    },
    refused: async () => {
      const entity = await seedEntity(t.db);
      const closed = await seedAlert(t.db, entity, { status: 2 });
      await seedAlert(t.db, entity);
      return await api.put(`/api/alerts/${closed}/status`, { status: "OPEN" });
    },
  },
  updateAlertConfig: {
    done: async () => {
      const id = await seedEntity(t.db);
      const config = { failed_job_halt_until: "2030-01-01T00:00:00Z" };
      return [() => api.put(`/api/dataentities/${id}/alert_config`, config)];
    },
    refused: () => api.put(`/api/dataentities/${nobody}/alert_config`, {}),
  },
  ...peopleCases(() => ({ api, db: t.db })),
  ...describingCases(() => ({ api, db: t.db })),
  ...termCases(() => ({ api, db: t.db })),
  ...mergeCases(() => ({ api, db: t.db })),
  ...qualityCases(() => ({ api, db: t.db })),
  ...lookupTableCases(() => api),
  routeAlerts: routing("/ingestion/alert/alertrouter"),
  routeAlertsOfAlertmanager: routing("/ingestion/alert/alertmanager"),
};

const changing = publishedRoutes().map((route) => route.spec).filter((spec) =>
  spec.method !== "get"
);
const declaring = changing.filter((spec) => Array.isArray(spec.activity));

async function eventsSince<T>(work: () => Promise<T>): Promise<{ outcome: T; events: string[] }> {
  const [{ last }] = await t.db.query<{ last: number }>(
    "SELECT coalesce(max(id), 0) AS last FROM activity",
  ) as [{ last: number }];
  const outcome = await work();
  const rows = await t.db.query<{ event_type: string }>(
    "SELECT DISTINCT event_type FROM activity WHERE id > $1 ORDER BY event_type",
    [last],
  );
  return { outcome, events: rows.map((row) => row.event_type) };
}

/** A digest of the contents of every table. */
async function contents(): Promise<Record<string, string>> {
  const tables = await t.db.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const digest = "md5(coalesce(string_agg(x::text, ',' ORDER BY x::text), '')) AS digest";
  const each = tables.map(({ name }) => `SELECT '${name}' AS name, ${digest} FROM ${name} x`);
  const rows = await t.db.query<{ name: string; digest: string }>(each.join(" UNION ALL "));
  return Object.fromEntries(rows.map((row) => [row.name, row.digest]));
}

/** While `work` runs, no transaction that writes an event can commit. */
async function withoutCommits<T>(work: () => Promise<T>): Promise<T> {
  await t.db.query(`
    CREATE FUNCTION refuse_events() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'no events now'; END$$;
    CREATE CONSTRAINT TRIGGER refuse_events AFTER INSERT ON activity DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse_events()`);
  try {
    return await work();
  } finally {
    await t.db.query("DROP FUNCTION refuse_events CASCADE");
  }
}

it("every operation that changes something declares events that are tried here, or is listed as silent", () => {
  const others = changing.filter((spec) => !declaring.includes(spec));
  const ids = (specs: typeof changing) => specs.map((spec) => spec.id).sort();
  expect({ tried: Object.keys(cases).sort(), silent })
    .toEqual({ tried: ids(declaring), silent: ids(others) });
});

describe.each(declaring.map((spec) => ({ id: spec.id, spec })))("$id", ({ id, spec }) => {
  const tried = () => {
    const one = cases[id];
    if (!one) throw new Error(`${id} declares events and is not tried`);
    return one;
  };

  it("writes exactly the events that it declares", async () => {
    const calls = await tried().done();
    const { events } = await eventsSince(async () => {
      for (const call of calls) {
        const answer = await call();
        expect([answer.status < 300, answer.status < 300 ? "" : answer.text]).toEqual([true, ""]);
      }
    });
    expect(events).toEqual([...spec.activity as string[]].sort());
    // The test client checks the feed against its declared shape, including the states.
    const feed =
      "/api/activity?begin_date=2020-01-01T00:00:00Z&end_date=2100-01-01T00:00:00Z&size=100";
    expect((await api.get(feed)).status).toBe(200);
  });

  it("changes nothing at all when its events cannot be written", async () => {
    const calls = await tried().done();
    const before = await contents();
    const status = await withoutCommits(async () => (await calls[0]!()).status);
    expect(status).toBe(500);
    expect(await contents()).toEqual(before);
  });

  it("writes no event when it is refused", async () => {
    const { outcome, events } = await eventsSince(tried().refused);
    expect([400, 404]).toContain(outcome.status);
    expect(events).toEqual([]);
  });
});
