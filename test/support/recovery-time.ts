import { expect } from "vitest";
import { longestPause } from "#platform/ops/recovery.ts";

/** Milliseconds that a machine under load may take beyond what operators are told. */
export const underLoad = 10_000;

/**
 * From the moment that the cause of a state is gone: waits until a worker goes on, and holds it to the time that
 * docs/operate/operations.md tells of the state.
 */
export async function goesOnInTime<T>(
  state: Parameters<typeof longestPause>[0],
  wentOn: () => Promise<T>,
): Promise<T> {
  const gone = performance.now();
  const seen = await wentOn();
  expect(performance.now() - gone).toBeLessThan(longestPause(state) + underLoad);
  return seen;
}
