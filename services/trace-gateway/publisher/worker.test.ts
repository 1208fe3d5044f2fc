import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { eventually } from "#test/support/eventually.ts";
import type { PublisherContext } from "./deps.ts";
import { type PublisherHarness, publisherHarness, type TestEdge } from "./testing/harness.ts";
import { ServicePublisher } from "./worker.ts";

const call: TestEdge = { service: "orders", peer: "payments", operation: "POST /pay" };

describe("ServicePublisher", () => {
  let at: PublisherHarness;
  let running: ServicePublisher[];
  let crashes: unknown[];
  beforeEach(async () => {
    at = await publisherHarness({ "publish-interval": "50 ms" });
    [running, crashes] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(running.map((publisher) => publisher.stop()));
    expect(crashes).toEqual([]);
    await at.drop();
  });

  async function start(holder: string, given: Partial<PublisherContext> = {}) {
    const leases = new Leases(at.db, holder);
    const publisher = new ServicePublisher({ ...at.deps, clock: systemClock, leases, ...given });
    running.push(publisher);
    await publisher.start((error) => void crashes.push(error));
    return publisher;
  }
  const posted = (count: number) =>
    eventually(async () => {
      const rows = await at.db.query("SELECT 1 FROM service_entity WHERE state = 'live'");
      expect(rows).toHaveLength(count);
    });

  it("registers its data source, and publishes an edge at its wake-up", async () => {
    const publisher = await start("one");
    await eventually(() => expect(publisher.health()).toEqual({ ready: true, state: "running" }));
    expect(await at.db.query("SELECT catrn FROM data_source"))
      .toEqual([{ catrn: "//tributary/traces" }]);
    await at.see(call);
    await posted(4);
  });

  it("one publishes, another stands by and takes over when the first one stops", async () => {
    const first = await start("one");
    await eventually(() => expect(first.health().state).toBe("running"));
    const second = await start("two");
    await eventually(() => expect(second.health().state).toBe("standby"));
    await first.stop();
    await at.see(call);
    await posted(4);
    await eventually(() => expect(second.health().state).toBe("running"));
  });

  it("waits by name for an event log that is down, counts it, and goes on by itself", async () => {
    let down = true;
    const metrics = createMetrics();
    const publisher = await start("one", {
      metrics,
      events: {
        ...at.deps.events,
        publish: (topic, records, options) =>
          down
            ? Promise.reject(unavailable("down"))
            : at.deps.events.publish(topic, records, options),
      },
    });
    await at.see(call);
    await eventually(() => expect(publisher.health()).toEqual({ ready: false, state: "log_down" }));
    expect((await metrics.exposition()).content)
      .toMatch(/tributary_traces_publish_failures_total\{cause="event_log"\} [1-9]/);
    down = false;
    await posted(4);
    await eventually(() => expect(publisher.health().state).toBe("running"));
  });
});
