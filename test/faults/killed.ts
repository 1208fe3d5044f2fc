import type { ServiceProcess } from "#test/support/engines/processes.ts";

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Kills a process so many times at random moments. */
export async function killed(
  service: ServiceProcess,
  times: number,
  random: () => number,
): Promise<void> {
  for (let n = 0; n < times; n++) {
    await pause(200 + random() * 1_500);
    await service.kill();
    await service.start();
  }
}
