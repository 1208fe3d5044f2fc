import { afterAll, beforeAll, expect, it } from "vitest";
import { tracesSpans } from "#contract/topics.ts";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import { factsOf, pack } from "#services/trace-gateway/facts/index.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { seeded } from "#test/support/random.ts";
import { allCounted, expectExact, expectLogged } from "#test/support/traces/trace-accounts.ts";
import { sendTraces } from "#test/support/traces/trace-load.ts";
import { Traffic } from "#test/support/traces/trace-traffic.ts";
import { type GatewayProcess, startTraceStack, type TraceStack } from "./traces-stack.ts";

/** Longer than any outage here, and short enough that halves without partner expire. */
const windowMs = 25_000;
/** Milliseconds that something killed or frozen stays so, at most. */
const downFor = 1_500;
/** Traces of a backlog: as many as keep workers busy for a second and more. */
const backlog = 3_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/**
 * Gateways under load, their workers and engines are killed and frozen; the log and the counts must be
 * exact. The seed of a failing run is in the test's name; `FAULTS_SEED` runs it again.
 */
export function traceFaults(set: EngineSet): void {
  let stack: TraceStack;
  beforeAll(async () => {
    stack = await startTraceStack(set, { TRACES_WINDOW: `${windowMs} ms` });
  });
  afterAll(() => stack?.close());

  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));
  everythingStruck(() => stack, seed);
  amidBacklog(() => stack, seed);
}

function everythingStruck(stack: () => TraceStack, seed: number): void {
  it(
    `gateways and engines killed and frozen: what was answered is counted once (seed ${seed})`,
    async () => {
      const { gateways, observer } = stack();
      const over = new AbortController();
      const load = sendTraces({
        http: gateways.map((gateway) => gateway.http),
        grpc: gateways.map((gateway) => gateway.grpc),
        seed,
        until: over.signal,
      });
      const random = seeded(seed);
      const strikes = Promise.all([processes(gateways, random), engines(stack(), random)]);
      await Promise.race([load, strikes]);
      over.abort();
      const sent = await load;
      await allCounted(observer);
      await expectLogged(observer, sent);
      const accounts = await expectExact(observer, windowMs);
      expect(accounts.paired).toBeGreaterThan(100);
      for (const gateway of gateways) {
        expect(gateway.ends(), gateway.output().slice(-20).join("\n")).toBe(0);
      }
    },
  );
}

function amidBacklog(stack: () => TraceStack, seed: number): void {
  it(
    `workers killed and frozen amid a backlog: each span is counted once (seed ${seed})`,
    async () => {
      const { gateways: [first, second], observer } = stack();
      const random = seeded(seed + 1);
      const traffic = new Traffic(random);
      /** Gateways that wake up to a backlog, and some time for them to be amid it. */
      const wakeToBacklog = async () => {
        for (const gateway of [first, second]) await gateway.pause();
        await pile(observer.events, traffic, random);
        for (const gateway of [first, second]) gateway.resume();
        await pause(random() * 500);
      };
      for (const gateway of [first, second]) {
        await wakeToBacklog();
        await gateway.kill();
        await gateway.start();
      }
      await wakeToBacklog();
      await first.pause();
      // Its session ends, and the other takes all.
      await allCounted(observer);
      first.resume();
      await pile(observer.events, traffic, random);
      await allCounted(observer);
      const accounts = await expectExact(observer, windowMs);
      expect(accounts.paired).toBeGreaterThan(backlog);
    },
  );
}

/** Gateways are killed, told to stop, and started again. */
async function processes(gateways: GatewayProcess[], random: () => number): Promise<void> {
  const [first, second] = random() < 0.5 ? gateways : [...gateways].reverse();
  for (const [gateway, end] of [[first, "kill"], [second, "kill"], [first, "terminate"]] as const) {
    await pause(300 + random() * 1_000);
    await gateway![end]();
    await pause(random() * downFor);
    await gateway!.start();
  }
  await pause(1_000);
}

/** Each engine is killed, and frozen. */
async function engines({ postgres, kafka }: TraceStack, random: () => number): Promise<void> {
  for (const engine of [kafka, postgres, kafka, postgres].filter((each) => each !== undefined)) {
    await pause(500 + random() * 1_500);
    const frozen = random() < 0.4;
    if (frozen) await engine.pause();
    else await engine.kill();
    await pause(random() * downFor);
    if (frozen) engine.resume();
    else await engine.restart();
  }
}

/** Puts the spans of many traces into the log at once, in any order, without a gateway. */
async function pile(events: EventLog, traffic: Traffic, random: () => number): Promise<void> {
  const partitions = (await events.bounds(tracesSpans)).length;
  const { facts } = factsOf(Array.from({ length: backlog }, () => traffic.trace()).flat());
  const ranked = facts.map((fact) => ({ fact, rank: random() })).sort((a, b) => a.rank - b.rank);
  const batches: NewRecord[][] = [];
  for (let at = 0; at < ranked.length; at += 500) {
    batches.push(pack(ranked.slice(at, at + 500).map(({ fact }) => fact), partitions));
  }
  await Promise.all(
    batches.map((batch) => events.publish(tracesSpans, batch, { timeoutMs: 20_000 })),
  );
}
