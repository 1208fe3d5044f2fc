import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import {
  hasPrometheus,
  howToInstall,
  type Prometheus,
  startPrometheus,
} from "#test/support/engines/prometheus.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Gateway, startGateway } from "#test/support/traces/gateway.ts";
import { dashboards } from "../../tools/dashboards/all.ts";
import { demo } from "../../tools/demo/main.ts";

const expressions = Object.entries(dashboards).flatMap(([name, { panels }]) =>
  panels.flatMap(({ title, queries }) => queries.map(({ expr }) => ({ name, title, expr })))
);

/** What the demo makes happen, so that no panel of these is 0 for want of a series. */
const happening = [
  "tributary_http_request_duration_seconds_count",
  "tributary_ingestion_batches_total",
  "tributary_ingest_parts_total",
  "tributary_ingest_items_total",
  "tributary_ingest_alerts_total",
  "tributary_log_records_done_total",
  "tributary_notifier_changes_total",
  "tributary_notifier_events_published_total",
  "tributary_traces_requests_total",
  "tributary_traces_spans_accepted_total",
  "tributary_traces_entities_posted_total",
  "tributary_worker_ready",
];

if (hasPrometheus()) {
  describe.each(engineSets())("a real Prometheus after the demo, %s engines", (set) => {
    let gateway: Gateway;
    let prometheus: Prometheus;
    beforeAll(async () => {
      gateway = await startGateway(set, { "publish-interval": "200 ms" }, {
        services: [apiService, ingestConsumerService, traceGatewayService, notifierService],
        config: { notifications: { enabled: true } },
      });
      prometheus = await startPrometheus(gateway.url);
      await demo(gateway.url, () => {}, { url: gateway.http });
      // A rate takes two looks at what the demo did.
      await eventually(async () => {
        const query = "min(count_over_time(tributary_ingestion_batches_total[5m])) >= 2";
        expect((await prometheus.ask("query", { query })).result).toHaveLength(1);
      });
    });
    afterAll(async () => {
      await prometheus?.stop();
      await gateway?.stop();
    });

    it("every panel of every dashboard shows something", async () => {
      const empty: string[] = [];
      for (const { name, title, expr } of expressions) {
        const { result } = await prometheus.ask("query", { query: expr });
        if (result.length === 0) empty.push(`${name}, ${title}: ${expr}`);
      }
      expect(empty).toEqual([]);
    });

    it.each(happening)("what the demo did is seen: %s", async (counter) => {
      await eventually(async () => {
        const { result } = await prometheus.ask("query", { query: `sum(${counter}) > 0` });
        expect(result).toHaveLength(1);
      });
    });

    it("every rule is loaded and evaluated without an error, and none is firing", async () => {
      await eventually(async () => {
        const { groups } = await prometheus.ask("rules");
        // deno-lint-ignore no-explicit-any -- an answer of Prometheus
        const rules = groups.flatMap((group: any) => group.rules);
        expect(rules.length).toBeGreaterThan(10);
        // deno-lint-ignore no-explicit-any -- as above
        expect(rules.filter(({ health }: any) => health !== "ok")).toEqual([]);
        // deno-lint-ignore no-explicit-any -- as above
        expect(rules.filter(({ state }: any) => state === "firing")).toEqual([]);
      });
    });
  });
} else {
  it(`dashboards are not tried against a Prometheus: ${howToInstall}`, () => {
    expect(expressions.length).toBeGreaterThan(50);
  });
}
