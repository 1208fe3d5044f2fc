import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Gateway, startGateway } from "#test/support/traces/gateway.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { demoClient } from "../../tools/demo/client.ts";
import { demo } from "../../tools/demo/main.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { ownService, selfTrace } from "../../tools/demo/self-trace.ts";

// Tracers of a process stay with the first instance that exports: there is one, on the richest engines.
const set = engineSets().at(-1)!;

describe(`the demonstration with a trace gateway, ${set} engines`, () => {
  let gateway: Gateway;
  beforeAll(async () => {
    process.env.OTEL_BSP_SCHEDULE_DELAY = "200";
    // Where it sends its own traces is configured, so the port must be known beforehand.
    const http = { port: await freePort() };
    gateway = await startGateway(set, { "publish-interval": "200 ms", http }, {
      services: [apiService, ingestConsumerService, traceGatewayService, notifierService],
      config: {
        notifications: { enabled: true, message: { "downstream-entities-depth": 1 } },
      },
    });
  });
  afterAll(() => gateway?.stop());

  it("demo: a question crosses from a table over services into dashboards", async () => {
    const lines: string[] = [];
    await demo(gateway.url, (line) => lines.push(line), { url: gateway.http });
    const questionLine = lines.indexOf(
      "Which services and dashboards does the table addresses reach?",
    );
    expect(questionLine).toBeGreaterThan(0);
    const answer = lines.slice(questionLine).join("\n");
    const order = ["addresses", "shipping", "shipments", "Delivery performance", "notifications"];
    const positions = order.map((name) => answer.indexOf(name));
    expect(positions.every((place) => place > 0)).toBe(true);
    const changed = lines.findIndex((line) => line.startsWith("What has changed in"));
    expect(lines[changed]).toContain("mrt_churn_features");
    expect(lines.slice(changed + 1).filter((line) => /^ {2}[+−] /.test(line))).toEqual([
      "  + fct_reviews → build_mrt_churn_features",
    ]);
  });

  it("demo: says so when no trace gateway listens, and asks the other questions", async () => {
    const lines: string[] = [];
    await demo(gateway.url, (line) => lines.push(line), { url: "http://127.0.0.1:9" });
    expect(lines.join("\n")).toContain("No trace gateway listens at http://127.0.0.1:9");
    expect(lines).toContain("What breaks if the table payments changes?");
    expect(lines.filter((line) => line.includes("mrt_churn_features"))).toEqual([]);
  });

  it("demo --self-trace: the four services are in their own lineage", async () => {
    const lines: string[] = [];
    const client = demoClient(gateway.url);
    const done = await selfTrace(gateway.test.db, {
      client,
      print: (line) => lines.push(line),
    });
    expect(lines.join("\n")).toContain("ingest-consumer");
    expect(done).toBe(true);
    await eventually(async () => {
      for (const name of ["api", "ingest-consumer", "trace-gateway", "notifier"]) {
        expect(await client.find(ownService(name))).toMatchObject({ external_name: name });
      }
    });
  });
});
