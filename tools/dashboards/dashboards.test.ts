import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { shippedFiles } from "../checks/program.ts";
import { dashboardFiles } from "./all.ts";

/** What Grafana needs of a provisioned dashboard, as far as ours go. */
const Provisioned = z.looseObject({
  uid: z.string().regex(/^[a-z-]{1,40}$/),
  title: z.string().min(1),
  schemaVersion: z.literal(39),
  panels: z.array(z.object({
    id: z.int().min(1),
    title: z.string().min(1),
    type: z.literal("timeseries"),
    datasource: z.object({ type: z.literal("prometheus"), uid: z.string() }),
    gridPos: z.object({
      x: z.int().min(0).max(23),
      y: z.int().min(0),
      w: z.int().min(1).max(24),
      h: z.int().min(1),
    }),
    fieldConfig: z.object({
      defaults: z.looseObject({ unit: z.string() }),
      overrides: z.array(z.never()),
    }),
    targets: z.array(z.object({
      refId: z.string().length(1),
      datasource: z.object({ type: z.literal("prometheus"), uid: z.string() }),
      expr: z.string().min(1),
      legendFormat: z.string(),
    })).min(1),
  })).min(1),
});

const all = Object.values(dashboardFiles()).map((text) => Provisioned.parse(JSON.parse(text)));

/** Names in the source that look like a metric and are none. */
const noMetrics = new Set([
  "tributary_app",
  "tributary_lookup",
  "tributary_message",
  "tributary_oauth2",
]);

/** Metrics without a panel: what they tell stands elsewhere. */
const elsewhere = new Set([
  // Sums of `accepted`, `refused` and what requests were; dropped ones are nothing anybody waits for.
  "tributary_traces_spans_received_total",
  "tributary_traces_spans_dropped_total",
]);

async function measured(): Promise<Set<string>> {
  const texts = (await shippedFiles()).map((file) => readFileSync(file, "utf8"));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/"((?:tributary|process)_[a-z0-9_]+)"/g)].map(([, name]) => name!)
  );
  return new Set(named.filter((name) => !noMetrics.has(name)));
}

/** Names of metrics in an expression, without what histograms append. */
const namesIn = (text: string) =>
  (text.match(/\b(tributary|process)_[a-z0-9_]+/g) ?? [])
    .map((name) => name.replace(/_seconds_(bucket|count|sum)$/, "_seconds"));

describe("dashboards and rules", () => {
  it("are what Grafana takes: each of an id of its own, panels side by side", () => {
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length);
    const { datasources } = parse(
      readFileSync("ops/grafana/datasources/prometheus.yml", "utf8"),
    ) as { datasources: { uid: string }[] };
    for (const { panels, title } of all) {
      expect(new Set(panels.map(({ id }) => id)).size, title).toBe(panels.length);
      const positions = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
      expect(new Set(positions).size, title).toBe(panels.length);
      for (const { datasource, targets } of panels) {
        for (const { uid } of [datasource, ...targets.map((each) => each.datasource)]) {
          expect(uid).toBe(datasources[0]!.uid);
        }
      }
    }
  });

  it("name metrics that are measured, and every metric that is measured stands in a dashboard", async () => {
    const known = await measured();
    const shown = new Set(
      all.flatMap(({ panels }) =>
        panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)))
      ),
    );
    const rules = namesIn(readFileSync("ops/alerts.yml", "utf8"))
      // The beginning of an expression of names, which Prometheus completes.
      .filter((name) => name !== "tributary_");
    expect([...shown, ...rules].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !shown.has(name) && !elsewhere.has(name))).toEqual([]);
  });
});
