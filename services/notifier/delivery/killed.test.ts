import { system } from "#contract/actor.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { Database } from "#metadata/postgres/database.ts";
import { recordAlertEvents } from "#metadata/catalogue/alerts.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { eventually } from "#test/support/eventually.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { type OwnEngine, startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";

const alerts = sized(100, 300);
const chatIntervalMs = 20;

let server: OwnEngine;
let db: Database;
let webhook: HttpSink;
let chat: HttpSink;
let notifiers: ServiceProcess[] = [];

beforeAll(async () => {
  server = await startPostgres();
  await migrate(server.url, silentLogger);
  db = new Database({
    url: server.url,
    max: 4,
    statementTimeoutMs: 9_000,
    applicationName: "test",
  });
  [webhook, chat] = [await startHttpSink(), await startHttpSink()];
  const env = {
    METADATA_POSTGRES_URL: server.url,
    HOUSEKEEPING_ENABLED: "false",
    NOTIFICATIONS_ENABLED: "true",
    NOTIFICATIONS_RECEIVERS_WEBHOOK_URL: webhook.url,
    NOTIFICATIONS_RECEIVERS_CHAT_URL: chat.url,
    NOTIFICATIONS_RECEIVERS_CHAT_INTERVAL: `${chatIntervalMs} ms`,
    NOTIFICATIONS_DELIVERY_TIMEOUT: "2 s",
    NOTIFICATIONS_DELIVERY_RETRY_INITIAL: "40 ms",
  };
  notifiers = await Promise.all(
    ["one", "two"].map((name) => startService({ service: "notifier", name, env })),
  );
});
afterAll(async () => {
  await Promise.all(notifiers.map((each) => each.kill()));
  await db?.close();
  await Promise.all([webhook?.close(), chat?.close(), server?.stop()]);
});

interface DeliveryRow extends Record<string, unknown> {
  id: string;
  channel: string;
  state: string;
  outcomes: string[];
}

const log = () =>
  db.query<DeliveryRow>(
    `SELECT d.id, d.channel, d.state,
            array_agg(a.outcome ORDER BY a.number) FILTER (WHERE a.number IS NOT NULL) AS outcomes
       FROM delivery d LEFT JOIN delivery_attempt a ON a.delivery_id = d.id GROUP BY d.id`,
  );

describe("the notifier, killed while receivers fail", () => {
  it("delivers every change, repeats only what was in flight, and keeps the rate", async () => {
    const random = seeded(7);
    const failing = [answers.status(500), answers.hangs, answers.status(400)];
    webhook.answer = (socket, request) =>
      (random() < 0.95 ? answers.status(200) : failing[Math.floor(random() * 3)]!)(socket, request);
    chat.answer = (socket, request) =>
      (random() < 0.97 ? answers.status(200) : answers.status(429, { "retry-after": "1" }))(
        socket,
        request,
      );
    for (let batch = 0; batch < 10; batch++) {
      await db.transaction((tx) =>
        recordAlertEvents(
          tx,
          Array.from({ length: alerts / 10 }, (_, i) => ({
            alertId: 1 + batch * (alerts / 10) + i,
            entityId: null,
            type: "DISTRIBUTION_ANOMALY",
            eventType: "CREATED",
            at: "2031-01-01T00:00:00Z",
            actor: system,
          })),
        )
      );
      const victim = notifiers[batch % 2]!;
      if (batch % 3 !== 2) continue;
      await eventually(() =>
        expect(webhook.requests.length).toBeGreaterThan(batch * (alerts / 30))
      );
      await victim.kill();
      await victim.start();
    }
    const rows = await eventually(async () => {
      const all = await log();
      expect(all.filter((row) => /delivered|failed/.test(row.state))).toHaveLength(2 * alerts);
      return all;
    }, { describe: () => notifiers.map((each) => each.output().slice(-5)) });
    explains(rows);
    const times = chat.requests.map((request) => request.at);
    const gaps = times.slice(1).map((at, i) => at - times[i]!);
    // The sink's clock counts whole milliseconds.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(chatIntervalMs - 1);
  });
});

/** The delivery log has an attempt for every request that a sink saw. */
function explains(rows: DeliveryRow[]): void {
  const seen = Map.groupBy(webhook.requests, (request) => request.headers["webhook-id"]!);
  const log = new Map(rows.map((row) => [row.id, row.outcomes]));
  for (const [id, requests] of seen) {
    expect(log.get(id)!.length).toBeGreaterThanOrEqual(requests.length);
  }
  const ofWebhook = rows.filter((row) => row.channel === "webhook");
  expect(seen.size).toBe(ofWebhook.length);
  const refused = ofWebhook.filter((row) => row.state === "failed");
  expect(refused.every((row) => row.outcomes.at(-1) === "refused")).toBe(true);
  const chatAttempts = rows.filter((row) => row.channel === "chat").flatMap((row) => row.outcomes);
  expect(chatAttempts.length).toBeGreaterThanOrEqual(chat.requests.length);
  const killed = rows.flatMap((row) => row.outcomes).filter((one) => one === "interrupted");
  expect(killed.length).toBeLessThan(60);
}
