import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import { unavailable } from "#kit/errors.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { type PublisherHarness, publisherHarness } from "./testing/harness.ts";
import { access, call, day, pay, table } from "./testing/shop.ts";

let at: PublisherHarness;
beforeEach(async () => void (at = await publisherHarness()));
afterEach(() => at.drop());

const statuses = async () =>
  Object.fromEntries(
    (await at.db.query<{ catrn: string; status: number }>(
      "SELECT catrn, status FROM data_entity WHERE NOT hollow",
    )).map(({ catrn, status }) => [catrn, status]),
  );

describe("publishRound, when edges expire", () => {
  const old = () => new Date(at.clock.at - 8 * day);

  it("deletes what has no edge left, and keeps the rest", async () => {
    await at.see(call, { ...call, service: "web" });
    await at.round();
    await at.ingest();
    await at.see({ ...call, seen: old() });
    await at.round();
    expect(await at.db.query("SELECT service_name FROM service_edge")).toEqual([
      { service_name: "web" },
    ]);
    expect(await statuses()).toMatchObject({
      "//microservice/services/orders": 5,
      "//microservice/services/web": 1,
      [pay]: 1,
    });
    expect(await at.db.query("SELECT 1 FROM activity WHERE event_type LIKE '%STATUS%'"))
      .toHaveLength(1);
  });

  it("takes the lineage of what it deletes away, and brings it back when it is seen again", async () => {
    const live = () => at.db.query("SELECT 1 FROM lineage_edge WHERE live");
    await at.see(call);
    await at.round();
    await at.ingest();
    expect(await live()).toHaveLength(2);
    await at.see({ ...call, seen: old() });
    await at.round();
    expect(await live()).toHaveLength(0);
    expect(Object.values(await statuses())).toEqual([5, 5, 5, 5]);
    await at.see(call);
    await at.round();
    await at.ingest();
    expect(await live()).toHaveLength(2);
    expect(Object.values(await statuses())).toEqual([1, 1, 1, 1]);
  });

  it("waits with a deletion until the last batch of the entity is applied", async () => {
    await at.see(call);
    await at.round();
    await at.see({ ...call, seen: old() });
    await at.round();
    await at.ingest();
    expect(Object.values(await statuses())).toEqual([1, 1, 1, 1]);
    await at.round();
    expect(Object.values(await statuses())).toEqual([5, 5, 5, 5]);
    expect(await at.db.query("SELECT 1 FROM service_entity")).toEqual([]);
  });
});

describe("publishRound, when things fail", () => {
  it("posts again what the log may not have, under a later time", async () => {
    const broken = { ...at.deps.events, publish: () => Promise.reject(unavailable("down")) };
    await at.see(call);
    await expect(at.round({ events: broken })).rejects.toThrow("does not take");
    expect(await at.posted()).toEqual([]);
    await at.round();
    expect(await at.posted()).toHaveLength(4);
    expect(await at.round()).toEqual({ worked: false, more: false });
  });

  it("a leader that slept through its lease posts nothing that wins over its successor", async () => {
    await at.see(call);
    let wake = () => {};
    const slept = new Promise<void>((go) => wake = go);
    let asleep = () => {};
    const sleeping = new Promise<void>((go) => asleep = go);
    const late = at.round({
      events: {
        ...at.deps.events,
        async publish(topic, records, options) {
          asleep();
          await slept;
          return await at.deps.events.publish(topic, records, options);
        },
      },
    });
    await sleeping;
    await at.db.query("UPDATE lease SET expires_at = now() - interval '1 second'");
    await at.see({ ...access("write", "orders") });
    await at.round({ leases: new Leases(at.db, "two") });
    wake();
    await expect(late).rejects.toThrow("is over");
    const read = await at.deps.events.read(ingestionBatches, { partition: 0, from: 0, limit: 9 });
    const times = read.map((r) => Number(r.headers[batchHeaders.receivedAt]));
    expect(times).toHaveLength(2);
    expect(times[1]).toBeLessThan(times[0]!);
    await at.ingest();
    const [row] = await at.db.query(
      "SELECT attributes -> 'data_transformer' ->> 'outputs' AS outputs FROM data_entity WHERE catrn = $1",
      ["//microservice/services/orders"],
    );
    expect(row).toEqual({ outputs: JSON.stringify([table("orders")]) });
  });
});
