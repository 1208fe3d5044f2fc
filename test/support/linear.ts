import process from "node:process";
import { expect } from "vitest";

/** Milliseconds of this process below which a measurement says nothing. */
const noise = 4;
/** Milliseconds of one run after which it is clear enough how slow it is. */
const slow = 1_000;

/** Milliseconds that this process is at work on `work`, which does not wait; what else the machine does is not counted. */
export function cpuMs(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/** The least of several times; what else this process does only adds to it. */
function min(work: () => unknown, times: number): number {
  let found = Infinity;
  for (let i = 0; i < times && (i === 0 || found < slow); i++) {
    found = Math.min(found, cpuMs(work));
  }
  return found;
}

/**
 * Expects that each doubling of the size of an input at most triples the time, on the whole of four
 * doublings from `size` on: linear work takes 16 times as long, and may take 81 times, quadratic work
 * takes 256 times. Begin small where it may be worse.
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  const first = Math.max(noise, min(() => work(size), 5));
  for (let times = 1; times <= 4; times++) {
    const taken = min(() => work(size * 2 ** times), 5);
    if (times < 4 && taken < slow) continue;
    const measured = `${size * 2 ** times} after ${size}, which took ${first} ms`;
    expect(taken, measured).toBeLessThan(first * 3 ** times);
    await Promise.resolve();
  }
}
