import { expect } from "vitest";
import { longestPause, recovery } from "#platform/ops/recovery.ts";
import { type WorkerHealth, workersOf } from "#test/support/alerts/notifier.ts";
import type { ServiceProcess } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { underLoad } from "#test/support/recovery-time.ts";

const within = 120_000;

/** `traces.window` of the processes that are looked at: by it the ticker looks at the event log. */
export const windowMs = 8_000;

/** What operators are told of a worker in this state, ms; undefined where nothing is told. */
function recoveryOf(worker: string, state: string): number | undefined {
  if (worker === "service-graph ticker") return windowMs / 2;
  // What is told of it is the wait between two tries, and a try may fail.
  if (state === "restarting") return undefined;
  const known = Object.keys(recovery) as (keyof typeof recovery)[];
  const found = known.find((name) => name === state);
  return found && longestPause(found, worker);
}

/** A worker that is not ready, of one of several processes. */
interface Ill {
  service: string;
  worker: string;
  state: string;
}

const keyOf = ({ service, worker }: Ill) => `${service}: ${worker}`;

/** All workers that are not ready. */
async function illOf(services: ServiceProcess[]): Promise<Ill[]> {
  const each = await Promise.all(services.map(async (service) => {
    const workers: [string, WorkerHealth][] = Object.entries(await workersOf(service));
    return workers.filter(([, { ready }]) => !ready)
      .map(([worker, { state }]) => ({ service: service.name, worker, state }));
  }));
  return each.flat();
}

/** Waits until every worker is ready. */
export const allReady = (services: ServiceProcess[]) =>
  eventually(async () => expect(await illOf(services)).toEqual([]), { within });

/** Waits until workers that are not ready have these states; `more` may hold the workers to something else. */
export function illWith(
  services: ServiceProcess[],
  states: string[],
  more: (workers: string[]) => void = () => {},
): Promise<Ill[]> {
  return eventually(async () => {
    const found = await illOf(services);
    expect(found.map(({ state }) => state)).toEqual(expect.arrayContaining(states));
    more(found.map(({ worker }) => worker));
    return found;
  }, { within });
}

/** From the moment that the cause is gone: holds each worker to the time that operators are told of its state. */
export async function expectRecovered(services: ServiceProcess[], before: Ill[]): Promise<void> {
  const back = performance.now();
  const took = new Map<string, number>();
  await eventually(async () => {
    const still = (await illOf(services)).map(keyOf);
    for (const ill of before) {
      const key = keyOf(ill);
      if (!still.includes(key) && !took.has(key)) took.set(key, performance.now() - back);
    }
    expect(still).toEqual([]);
  }, { within, describe: () => services.flatMap((service) => service.output().slice(-8)) });
  const late = before.flatMap((ill) => {
    const [max, ms] = [recoveryOf(ill.worker, ill.state), took.get(keyOf(ill))!];
    const over = max !== undefined && ms > max + underLoad;
    return over ? [`${keyOf(ill)}, ${ill.state}: ${Math.round(ms)} ms`] : [];
  });
  expect(late).toEqual([]);
}
