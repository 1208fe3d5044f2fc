import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recovery } from "#platform/ops/recovery.ts";
import { notifierEnvironment } from "#test/support/alerts/notifier.ts";
import { raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { type OwnEngine, startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { allReady, expectRecovered, illWith, windowMs } from "./recoveries.ts";

/** States that workers are in while PostgreSQL is away. */
const ofPostgres = ["waiting", "waiting_for_metadata", "database_down"] as const;

describe("how long workers take to go on is what docs/operate/operations.md tells", () => {
  let server: OwnEngine;
  let webhook: HttpSink;
  let service: ServiceProcess;
  beforeAll(async () => {
    [server, webhook] = [await startPostgres(), await startHttpSink()];
    const name = `t_${crypto.randomUUID().slice(0, 8)}`;
    const env = notifierEnvironment("embedded", { name, url: server.url }, {
      RECEIVERS_WEBHOOK_URL: webhook.url,
      DELIVERY_RETRY_MAX: `${recovery.waiting.others} s`,
    });
    service = await startService({
      service: "all",
      env: { ...env, TRACES_WINDOW: `${windowMs} ms` },
    });
  });
  afterAll(async () => {
    await service?.kill();
    await Promise.all([webhook?.close(), server?.stop()]);
  });

  it("once PostgreSQL is back", async () => {
    await allReady([service]);
    await server.kill();
    const before = await illWith([service], [...ofPostgres], (workers) => {
      // They look at PostgreSQL less often than others do.
      const names = ofPostgres.flatMap((state) => Object.keys(recovery[state]));
      names.push("service-graph ticker");
      expect(["others", ...workers]).toEqual(expect.arrayContaining(names));
    });
    await server.restart();
    await expectRecovered([service], before);
    expect(service.ends()).toBe(0);
  });

  it("once a receiver answers again: within `notifications.delivery.retry-max`", async () => {
    await allReady([service]);
    webhook.answer = answers.status(503);
    const send = (method: string, path: string, body: unknown) =>
      fetch(`${service.url}${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await raiseAlerts({ send } as Parameters<typeof raiseAlerts>[0], 1);
    const [sender] = await illWith([service], ["paused"]);
    webhook.answer = answers.status(200);
    // Told as the key, which is set to what `waiting` takes here.
    await expectRecovered([service], [{ ...sender!, state: "waiting" }]);
  });
});
