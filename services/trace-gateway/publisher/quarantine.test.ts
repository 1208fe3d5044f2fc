import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PermanentError } from "#kit/errors.ts";
import type { DatasetTemplates } from "#services/trace-gateway/datasets/templates.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import type { PublisherContext } from "./deps.ts";
import { listQuarantined, releaseQuarantined } from "./quarantine.ts";
import { type PublisherHarness, publisherHarness, type TestEdge } from "./testing/harness.ts";
import { access, call, day } from "./testing/shop.ts";

describe("a subject that cannot be composed", () => {
  let at: PublisherHarness;
  beforeEach(async () => void (at = await publisherHarness()));
  afterEach(() => at.drop());

  const poisoned: TestEdge = { ...access("read", "t"), service: "bad", system: "poison" };
  /** What a call is in the catalogue. */
  const published = ["POST /pay", "orders", "payments", "payments API"];
  const names = async () => (await at.posted()).map((item) => item.name).sort();
  const aside = async () =>
    (await listQuarantined(at.db, 10)).map(({ name, attempts }) => [name, attempts]);

  /** Parts of a publisher that fails over datasets of the system `poison`. */
  function failing(): Partial<PublisherContext> {
    const { config } = at.deps;
    const others = { poison: 5 } as unknown as DatasetTemplates["others"];
    return { config: { ...config, datasets: { ...config.datasets, others } } };
  }

  it("is set aside by name and cause, and all others are published", async () => {
    const metrics = createMetrics();
    await at.see(call, access("read", "customers"), poisoned);
    for (let i = 0; i < 40; i++) await at.see({ ...access("read", "t"), service: `s${i}` });
    await at.round({ ...failing(), metrics });
    expect(await names()).toEqual(
      [...published, ...Array.from({ length: 40 }, (_, i) => `s${i}`)].sort(),
    );
    const [row, ...more] = await listQuarantined(at.db, 10);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ kind: "service", namespace: null, name: "bad", attempts: 1 });
    expect(row!.cause).toContain("not a function");
    expect(row!.since.getTime()).toBe(at.clock.at);
    const { content } = await metrics.exposition();
    expect(content).toContain("tributary_traces_quarantined_subjects 1");
    expect(content).toContain("tributary_traces_quarantines_total 1");
  });

  it("is tried again when its edges change, and only then", async () => {
    await at.see(poisoned);
    await at.round(failing());
    expect(await at.round(failing())).toEqual({ worked: false, more: false });
    at.clock.at += 2 * day;
    expect(await at.round(failing())).toEqual({ worked: false, more: false });
    await at.see({ ...poisoned, target: "other", seen: new Date(at.clock.at) });
    await at.round(failing());
    expect(await aside()).toEqual([["bad", 2]]);
    await at.see({ ...poisoned, target: "third", seen: new Date(at.clock.at) });
    await at.round();
    expect(await aside()).toEqual([]);
    expect(await names()).toEqual(["bad"]);
  });

  it("is tried again when it is released by name, and keeps what was posted of it until then", async () => {
    await at.see({ ...poisoned, system: "mysql" });
    await at.round();
    expect(await names()).toEqual(["bad"]);
    await at.see(poisoned);
    await at.round(failing());
    expect(await names()).toEqual([]);
    expect(await releaseQuarantined(at.db, "another")).toBe(0);
    expect(await releaseQuarantined(at.db, "bad")).toBe(1);
    await at.round();
    expect(await names()).toEqual(["bad"]);
    expect(await aside()).toEqual([]);
  });

  it("is set aside as well when the log will never take it, after it was marked", async () => {
    await at.see(call, { ...access("read", "t"), service: "large" });
    const { events } = at.deps;
    const refusing: Partial<PublisherContext> = {
      events: {
        ...events,
        publish(topic, records, options) {
          const text = new TextDecoder();
          if (!records.some(({ value }) => text.decode(value).includes("services/large"))) {
            return events.publish(topic, records, options);
          }
          return Promise.reject(new PermanentError("record_too_large", "too large"));
        },
      },
    };
    await at.round(refusing);
    expect(await names()).toEqual(published);
    expect(await aside()).toEqual([["large", 1]]);
    expect(await at.round(refusing)).toEqual({ worked: false, more: false });
    await releaseQuarantined(at.db, null);
    await at.round();
    expect(await names()).toEqual(["large"]);
  });
});
