import { afterEach, describe, expect, it } from "vitest";
import { tracesSpans } from "#contract/topics.ts";
import type { SpanFact } from "#contract/traces.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type EngineSet, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { seeded } from "#test/support/random.ts";
import { referenceTotals } from "#test/support/traces/trace-reference.ts";
import { Traffic } from "#test/support/traces/trace-traffic.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";
import { factsOf, pack } from "../facts/index.ts";
import { accounts } from "./pairing.ts";
import { storedTotals } from "./testing/harness.ts";
import { pairingWorkers, ReceiverPriority } from "./workers.ts";

/** Long enough for halves that are published one after the other, also on a busy machine. */
const config = { traces: { window: "10 s" } };

const started: Instance[] = [];
afterEach(async () => {
  for (const instance of started.splice(0).reverse()) await instance.stop();
});

/** Starts an instance that does nothing but count, and waits until it has joined its group. */
async function start(set: EngineSet, sharing?: Instance): Promise<Instance> {
  const workers: Worker[] = [];
  const create = (context: Context) => {
    workers.push(...pairingWorkers(context, new ReceiverPriority(() => false, context.clock)));
    return { routes: [], workers };
  };
  const services: Service[] = [{ name: "service-graph", create }];
  const options = { services, config, ...(sharing && { sharing: sharing.test }) };
  const instance = await startInstance(set, options);
  started.push(instance);
  await eventually(
    () => expect(workers.map((worker) => worker.health().state)).toEqual(["running", "running"]),
  );
  return instance;
}

const sums = accounts.map((name) => `coalesce(sum(${name}), 0)::bigint AS ${name}`).join(", ");

async function accountsOf(db: Database) {
  const [row] = await db.query<Record<(typeof accounts)[number], number>>(
    `SELECT ${sums} FROM span_checkpoint`,
  );
  return row!;
}

function chunks<T>(items: T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** A broker may still be choosing the leaders of topics that were just made. */
async function partitionsOf(events: EventLog): Promise<number> {
  return (await eventually(() => events.bounds(tracesSpans))).length;
}

describe.each(oneSetBySize())("pairingWorkers on the %s engines", (set) => {
  it(
    "count every span once while workers come and go, and let quiet partitions expire",
    async () => {
      const first = await start(set);
      const { events, test: { db } } = first;
      const partitions = await partitionsOf(events);
      const random = seeded(11);
      const source = new Traffic(random);
      const all: SpanFact[] = [];
      // Traces of one batch are published at once, since halves must not wait for workers that start.
      const publish = async () => {
        const batch = factsOf(Array.from({ length: 150 }, () => source.trace()).flat()).facts;
        const shuffled = batch.map((fact) => ({ fact, rank: random() }))
          .sort((x, y) => x.rank - y.rank).map(({ fact }) => fact);
        const records = [...chunks(shuffled, 100), shuffled.slice(0, 20)]
          .flatMap((some) => pack(some, partitions));
        await events.publish(tracesSpans, records, { timeoutMs: 20_000 });
        all.push(...batch);
      };
      await publish();
      await start(set, first);
      await publish();
      await started.pop()!.stop();
      await publish();
      await eventually(async () => {
        const counted = await accountsOf(db);
        expect(counted.read).toBe(all.length + 60);
        expect(counted.waiting).toBe(0);
      }, { describe: () => accountsOf(db) });
      expect(await storedTotals(db)).toEqual(referenceTotals(all));
      expect((await accountsOf(db)).duplicate).toBe(60);
    },
  );

  it("put a record that they cannot read to the dead letters, and go on", async () => {
    const { events, test: { db } } = await start(set);
    const partitions = await partitionsOf(events);
    const facts = factsOf(new Traffic(seeded(12)).trace()).facts;
    const [good] = pack(facts, partitions);
    const bad = { ...good!, value: new TextEncoder().encode('{"strings": 1}') };
    const newer = { ...good!, headers: { ...good!.headers, version: "2" } };
    await events.publish(tracesSpans, [bad, newer, good!], { timeoutMs: 20_000 });
    await eventually(async () => expect((await accountsOf(db)).read).toBeGreaterThan(0));
    const deadLetters = await events.bounds("ingestion.dead-letters");
    expect(deadLetters.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(2);
  });
});
