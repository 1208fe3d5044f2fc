import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { republish } from "#services/trace-gateway/publisher/repair.ts";
import { raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { windowMs } from "./recoveries.ts";
import type { Stack } from "./stack.ts";
import { freePort } from "../../tools/engines/process.mjs";

/** One more process of an instance, with every worker. */
export interface WatchedService {
  service: ServiceProcess;
  /** Gives workers something to tell the event log, without which an outage of it does not meet them. */
  busy(): Promise<void>;
}

/** Starts it, and has it know services, so that its publisher has something to publish. */
export async function watch({ env, observer }: Stack): Promise<WatchedService> {
  const traces = await freePort();
  const service = await startService({
    service: "all",
    env: {
      ...env,
      NOTIFICATIONS_ENABLED: "true",
      NOTIFICATIONS_WAL_HEARTBEAT: "500 ms",
      TRACES_HTTP_PORT: String(traces),
      TRACES_WINDOW: `${windowMs} ms`,
    },
  });
  const { db } = observer.context;
  const send = (base: string) => (method: string, path: string, body: unknown) =>
    fetch(`${base}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const trace = readFileSync("docs/examples/shop-trace.json", "utf8");
  const sent = await send(`http://127.0.0.1:${traces}`)("POST", "/v1/traces", trace);
  expect(sent.status).toBe(200);
  await eventually(async () => {
    expect(await db.query("SELECT FROM service_entity LIMIT 1")).toHaveLength(1);
  });
  return {
    service,
    async busy() {
      await raiseAlerts(
        { send: send(service.url) as Parameters<typeof raiseAlerts>[0]["send"] },
        1,
      );
      await republish(db);
    },
  };
}
