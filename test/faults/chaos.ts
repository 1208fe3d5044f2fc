import { expect, it } from "vitest";
import { seeded } from "#test/support/random.ts";
import { expectHolds } from "./holds.ts";
import { produce } from "./producer.ts";
import { type EngineName, engineNames, type ProcessName, settled, type Stack } from "./stack.ts";

/** Milliseconds that a killed thing stays down, at most. */
const downFor = 2_000;

/** What is killed, in any order: engines of the main path once, and processes in between. */
const engineSequence: EngineName[] = engineNames.filter((name) => name !== "redis");
const processSequence: ProcessName[] = ["consumer1", "api1", "consumer2", "api2", "consumer1"];

/**
 * Everything is killed and started again while collectors post: for `npm run test:long`. The seed of a failing run is in the
 * test's name; `FAULTS_SEED` runs it again.
 */
export function chaos(stack: () => Stack): void {
  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 100_000));
  it(
    `everything killed at random: all that was acknowledged is there once (seed ${seed})`,
    async () => {
      const { engines, processes, observer } = stack();
      const over = new AbortController();
      const sources = ["a", "b", "c"].map((name) => `//chaos/${seed}/${name}`);
      const urls = [processes.api1.url, processes.api2.url];
      const producing = produce({ urls, sources, seed, until: over.signal });
      const random = seeded(seed);
      const runSequence = async <N extends string>(
        names: N[],
        of: (name: N) => { kill(): Promise<void>; back(): Promise<void> },
      ) => {
        for (const name of shuffled(names, random)) {
          await pause(300 + random() * 1_000);
          await of(name).kill();
          await pause(random() * downFor);
          await of(name).back();
        }
      };
      await Promise.race([
        producing,
        Promise.all([
          runSequence(
            engineSequence,
            (name) => ({ ...engines[name], back: () => engines[name].restart() }),
          ),
          runSequence(processSequence, (name) => ({
            kill: () => processes[name].kill(),
            back: () => processes[name].start(),
          })),
        ]),
      ]);
      over.abort();
      const { model, failures } = await producing;
      await settled(observer);
      await expectHolds(observer.context.db, model, `//chaos/${seed}/`);
      // Nobody was left without an answer.
      expect(failures).not.toHaveProperty("TimeoutError");
      const ends = Object.values(processes).map((process) => [process.name, process.ends()]);
      expect(ends.filter(([, count]) => count !== 0)).toEqual([]);
    },
  );
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0]!);
}
