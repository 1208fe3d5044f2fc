import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineSets } from "#test/support/instance.ts";
import { seeded } from "#test/support/random.ts";
import { allCounted, expectExact, expectLogged } from "#test/support/trace-accounts.ts";
import { sendTraces } from "#test/support/trace-load.ts";
import { type GatewayProcess, startTraceStack, type TraceStack } from "./traces-stack.ts";

/** Longer than any outage here, and short enough that halves without partner expire. */
const windowMs = 25_000;
/** Milliseconds that something killed stays down, at most; a session lasts ten seconds. */
const downFor = 1_500;
const beyondSession = 11_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe.each(engineSets())("traces under faults, %s engines", (set) => {
  let stack: TraceStack;
  beforeAll(async () => {
    stack = await startTraceStack(set, { TRACES_WINDOW: `${windowMs} ms` });
  }, 180_000);
  afterAll(() => stack?.close(), 60_000);

  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));
  it(
    `gateways and engines killed and frozen: what was answered is counted once (seed ${seed})`,
    async () => {
      const { gateways, looking } = stack;
      const over = new AbortController();
      const load = sendTraces({
        http: gateways.map((gateway) => gateway.http),
        grpc: gateways.map((gateway) => gateway.grpc),
        seed,
        until: over.signal,
      });
      const random = seeded(seed);
      const strikes = Promise.all([processes(gateways, random), engines(stack, random)]);
      await Promise.race([load, strikes]);
      over.abort();
      const sent = await load;
      await allCounted(looking);
      await expectLogged(looking, sent);
      const accounts = await expectExact(looking, windowMs);
      expect(accounts.paired).toBeGreaterThan(100);
      for (const gateway of gateways) {
        expect(gateway.ends(), gateway.output().slice(-20).join("\n")).toBe(0);
      }
      console.log(set, sent.answered.size, accounts, sent.retried);
    },
    240_000,
  );
});

/** Each gateway is killed; then one sleeps until the other has its share, and wakes. */
async function processes(gateways: GatewayProcess[], random: () => number): Promise<void> {
  const [first, second] = random() < 0.5 ? gateways : [...gateways].reverse();
  for (const gateway of [first!, second!, first!]) {
    await pause(300 + random() * 1_000);
    await gateway.kill();
    await pause(random() * downFor);
    await gateway.start();
  }
  second!.pause();
  await pause(beyondSession + random() * 2_000);
  second!.resume();
  await pause(2_000);
}

async function engines({ postgres, kafka }: TraceStack, random: () => number): Promise<void> {
  await pause(1_000 + random() * 1_000);
  postgres.pause();
  await pause(random() * downFor);
  postgres.resume();
  for (const engine of [kafka, postgres, kafka]) {
    if (!engine) continue;
    await pause(500 + random() * 1_500);
    await engine.kill();
    await pause(random() * downFor);
    await engine.restart();
  }
}
