import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import type { Database, Queryable, Transaction } from "#metadata/postgres/database.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { seeded } from "#test/support/random.ts";
import { mapSubjects } from "./facts.ts";
import type { Subject } from "./subjects.ts";
import { type PublisherContext, publisherDeps } from "./deps.ts";
import { type PublisherHarness, publisherHarness } from "./testing/harness.ts";

describe("publishRound, ended anywhere", () => {
  let at: PublisherHarness;
  let leaders = 0;
  beforeEach(async () => void (at = await publisherHarness()));
  afterEach(() => at.drop());

  /** The parts of a process that ends with the statement or publish after `steps` of them. */
  function ending(steps: number): Partial<PublisherContext> {
    let left = steps;
    const step = () => {
      if (left-- <= 0) throw new Error("cut off");
    };
    const query = (on: Queryable): Queryable["query"] => async (statement, values) => {
      step();
      return await on.query(statement, values);
    };
    const transaction = <T>(work: (tx: Transaction) => Promise<T>) =>
      at.db.transaction((tx) => work({ ...tx, query: query(tx) }));
    const db: Database = Object.assign(Object.create(at.db), { query: query(at.db), transaction });
    const { events } = at.deps;
    return {
      db,
      events: {
        ...events,
        async publish(topic, records, options) {
          step();
          const stored = await events.publish(topic, records, options);
          step();
          return stored;
        },
      },
    };
  }

  /** Another process leads a round; whether it came to its end. */
  async function lead(given: Partial<PublisherContext>): Promise<boolean> {
    await at.db.query("UPDATE lease SET expires_at = now() - interval '1 second'");
    const leases = new Leases(at.db, `leader ${leaders++}`);
    try {
      await at.round({ ...given, leases });
      return true;
    } catch (error) {
      expect(String((error as Error).cause ?? error)).toContain("cut off");
      return false;
    }
  }

  async function changeSomething(random: () => number): Promise<void> {
    const one = (count: number) => Math.floor(random() * count);
    await at.see({ service: `s${one(6)}`, peer: `s${one(6)}`, operation: `GET /${one(3)}` });
    if (random() < 0.5) {
      await at.db.query(
        `DELETE FROM service_edge WHERE id IN (SELECT id FROM service_edge ORDER BY key LIMIT 1)`,
      );
    }
  }

  /** What the log has last of each entity, by `received-at`. */
  async function lastPosted(): Promise<Map<string, string>> {
    const log = await at.deps.events.read(ingestionBatches, {
      partition: 0,
      from: 0,
      limit: 10_000,
    });
    const received = (headers: Record<string, string>) => Number(headers[batchHeaders.receivedAt]);
    const last = new Map<string, string>();
    for (const record of log.sort((a, b) => received(a.headers) - received(b.headers))) {
      const { items } = JSON.parse(new TextDecoder().decode(record.value));
      for (const item of items) last.set(item.catrn, JSON.stringify(item));
    }
    return last;
  }

  it.each([1, 2, 3])("leaves the catalogue as the edges say (seed %i)", async (seed) => {
    const random = seeded(seed);
    let cut = 0;
    for (let turn = 0; turn < 40; turn++) {
      await changeSomething(random);
      if (!await lead(ending(Math.floor(random() * 40)))) cut++;
    }
    expect(cut).toBeGreaterThan(10);
    await lead({});
    const subjects = await at.db.query<Subject & Record<string, unknown>>(
      `SELECT 'service' AS kind, NULL AS namespace, n AS name
         FROM (SELECT service_name AS n FROM service_edge UNION SELECT peer_name FROM service_edge) s`,
    );
    const composed = await mapSubjects(publisherDeps(at.deps), subjects);
    expect(composed.length).toBeGreaterThan(5);
    const last = await lastPosted();
    for (const { catrn, json } of composed) expect(last.get(catrn)).toBe(json);
    await at.ingest();
    await lead({});
    const live = await at.db.query<{ catrn: string }>(
      "SELECT catrn FROM data_entity WHERE NOT hollow AND status <> 5 ORDER BY catrn",
    );
    expect(live.map((row) => row.catrn)).toEqual(composed.map((e) => e.catrn).sort());
    await lead({});
    expect(await at.db.query("SELECT 1 FROM service_entity WHERE state <> 'live'")).toEqual([]);
    expect(await at.db.query("SELECT 1 FROM service_change")).toEqual([]);
  });
});
