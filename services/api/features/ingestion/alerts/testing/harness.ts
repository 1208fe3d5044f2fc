import { afterAll, beforeAll, expect } from "vitest";
import { systemClock } from "#kit/clock.ts";
import type { LineageGraph } from "#graph/port.ts";
import { Config } from "#platform/config/schema.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { ingestionRoutes } from "../../routes.ts";

/** The time at which everything is received. */
const now = Date.parse("2026-05-01T12:00:00.000Z");
export const path = "/ingestion/alert/alertrouter";

export interface RouterHarness {
  t: TestDatabase;
  /** The router as configured by default. */
  once: TestApi;
  /** Without `alerts.deduplicate`. */
  each: TestApi;
  /** The alerts of an entity, or of none, in order of creation. */
  stored: (catrn: string | null) => Promise<StoredAlert[]>;
}

export interface StoredAlert extends Record<string, unknown> {
  id: number;
  status: number;
  chunks: string[];
  events: string[];
}

/** One database for the tests of a file. */
export function routerHarness(): () => RouterHarness {
  let harness: RouterHarness;
  const closing: (() => void | Promise<void>)[] = [];
  beforeAll(async () => {
    const t = await testDatabase();
    const open = (alerts?: object) => openApi(t, alerts, closing);
    harness = {
      t,
      once: open(),
      each: open({ deduplicate: false }),
      stored: (catrn) => storedAlerts(t, catrn),
    };
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await harness.t.drop();
  });
  return () => harness;
}

function openApi(
  t: TestDatabase,
  alerts: object | undefined,
  closing: (() => void | Promise<void>)[],
): TestApi {
  const context = testContext(t, {
    config: Config.parse({ instance: t.name, alerts }),
    graph: { projection: "inline" } as LineageGraph,
    clock: { ...systemClock, now: () => now },
  });
  const feature = ingestionRoutes(context);
  closing.push(() => feature.stop(), () => context.wakeups.close());
  return testApi(feature.routes, context);
}

const storedAlerts = (t: TestDatabase, catrn: string | null) =>
  t.db.query<StoredAlert>(
    `SELECT a.id, a.type, a.status, a.messenger_id, iso(a.last_created_at) AS at,
            ARRAY(SELECT c.description FROM alert_chunk c WHERE c.alert_id = a.id ORDER BY c.id)
              AS chunks,
            ARRAY(SELECT event_type FROM alert_event v WHERE v.alert_id = a.id ORDER BY v.id)
              AS events
       FROM alert a LEFT JOIN data_entity e ON e.id = a.entity_id
      WHERE e.catrn IS NOT DISTINCT FROM $1 ORDER BY a.id`,
    [catrn],
  );

/** An alert as Alertmanager sends it while it fires. */
export const firing = (catrn: string, more: object = {}) => ({
  status: "firing",
  labels: { alertname: "Skew", severity: "page", entity_catrn: catrn },
  annotations: {},
  startsAt: "2026-05-01T11:00:00Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "http://prometheus/graph?g0.expr=up",
  ...more,
});

/** The link of that alert. */
export const link = "http://prometheus/graph?g0.expr=up&g0.moment_input=2026-05-01%2011%3A00%3A00" +
  "&g0.end_input=2026-05-01%2011%3A00%3A00";

export async function send(api: TestApi, ...alerts: object[]): Promise<void> {
  const answer = await api.post(path, { version: "4", receiver: "catalogue", alerts });
  expect([answer.status, answer.text]).toEqual([200, ""]);
}
