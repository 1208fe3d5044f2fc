import { type AlertEventRecord, alertTypeCode } from "#contract/alerts.ts";
import type { LineageGraph } from "#graph/port.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import { DeliveryPlanner } from "#services/notifier/delivery/planner.ts";
import { deliveryMetrics } from "#services/notifier/delivery/metrics.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { anEvent, deliveries } from "#test/support/alerts/deliveries.ts";
import { Policies } from "../policies.ts";
import { reviewDelayed } from "../reviewer.ts";

export const routes = [{ channel: "webhook", recipient: "sink" }];

export interface PolicyHarness extends TestDatabase {
  /** Ids by name. */
  ids: Record<string, number>;
  /** What stands between the catalogue and its graph; `down` makes every walk fail. */
  graph: { down: boolean };
  /** An open alert on an entity, whose opening was notified. */
  opened(entity: string, given?: Partial<AlertEventRecord>): Promise<AlertEventRecord>;
  /** Another change of an alert, notified; closes it if the type does. */
  changed(event: AlertEventRecord, type: AlertEventRecord["event_type"]): Promise<AlertEventRecord>;
  /** What the delivery log says of a change: `state` or `state: reason`. */
  said(event: AlertEventRecord, kind?: string): Promise<string>;
  messageOf(event: AlertEventRecord, kind?: string): Promise<Record<string, unknown[]>>;
  /** Hands a change to the intake. */
  take(event: AlertEventRecord): Promise<AlertEventRecord>;
  /** Everything that waits for further changes goes out now. */
  waitIsOver(): Promise<void>;
  review(releaseAll?: boolean): Promise<number>;
}

/** Entities in a row, each fed by the one before it, and policies over them. */
export async function policyHarness(
  names: string[],
  options: { levels?: number; groupWaitMs?: number },
): Promise<PolicyHarness> {
  const test = await testDatabase();
  const { db } = test;
  const ids = await insertEntities(db, names);
  await insertEdges(
    db,
    names.slice(1).map((name, i) => [ids[name]!, ids[names[i]!]!, ids[name]!]),
  );
  const state = { down: false };
  const graph = switchable(new PostgresGraph(db), state);
  const policy = new Policies({
    db,
    graph,
    routes,
    log: silentLogger,
    levels: options.levels ?? 0,
    groupWaitMs: options.groupWaitMs ?? 0,
    maxNodes: 1_000,
    timeoutMs: 2_000,
  });
  const take = taking(
    test,
    new MessageBuilder({ db, graph, depth: 0, maxNodes: 1_000, timeoutMs: 2_000 }),
    policy,
  );
  const query = <R extends Record<string, unknown>>(text: string, values: unknown[]) =>
    db.query<R>(text, values);
  return {
    ...test,
    ...apiClient(test),
    ids,
    graph: state,
    take,
    async opened(entity, given = {}) {
      const type = given.alert_type ?? "FAILED_JOB";
      const [alert] = await query<{ id: number }>(
        "INSERT INTO alert (entity_id, type, status) VALUES ($1, $2, 1) RETURNING id",
        [given.entity_id === null ? null : ids[entity], alertTypeCode(type)],
      );
      return await take(anEvent({ alert_id: alert!.id, entity_id: ids[entity]!, ...given }));
    },
    async changed({ alert_id, entity_id, alert_type }, event_type) {
      const status = event_type === "RESOLVED" ? 2 : 1;
      await query("UPDATE alert SET status = $2 WHERE id = $1", [alert_id, status]);
      return await take(anEvent({ alert_id, entity_id, alert_type, event_type }));
    },
    review: (releaseAll = false) => reviewDelayed(db, policy, releaseAll),
  };
}

function taking({ db }: TestDatabase, messageBuilder: MessageBuilder, policy: Policies) {
  const intake = new DeliveryPlanner({
    db,
    messageBuilder,
    policy,
    routes,
    deadLetter: (_record, error) => Promise.reject(error),
    metrics: deliveryMetrics(noMetrics),
    log: silentLogger,
    clock: systemClock,
  });
  return async (event: AlertEventRecord) => {
    const value = new TextEncoder().encode(JSON.stringify(event));
    const place = { topic: "alerts.events", partition: 0, offset: event.id };
    await intake.take([{ ...place, key: null, value, headers: {}, timestamp: Date.now() }]);
    return event;
  };
}

function switchable(graph: LineageGraph, state: { down: boolean }): LineageGraph {
  return new Proxy(graph, {
    get(target, key) {
      if (key === "walk" && state.down) return () => Promise.reject(new Error("no route to graph"));
      const value = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** What tests ask of the delivery log. */
function apiClient(test: TestDatabase) {
  return {
    async said({ id }: AlertEventRecord, kind = "event") {
      const rows = await deliveries(test);
      const row = rows.find((r) => r.event_id === id && r.kind === kind);
      return row ? `${row.state}${row.reason ? `: ${row.reason}` : ""}` : "nothing";
    },
    async messageOf({ id }: AlertEventRecord, kind = "event") {
      const [row] = await test.db.query<{ message: Record<string, unknown[]> }>(
        "SELECT message FROM notification WHERE event_id = $1 AND kind = $2",
        [id, kind],
      );
      return row!.message;
    },
    async waitIsOver() {
      await test.db.query("UPDATE delivery SET due_at = now() WHERE state = 'pending'");
    },
  };
}
