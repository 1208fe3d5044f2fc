import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import {
  bodyRecoverySeconds,
  maxAddresses,
  RefusedBodies,
  smallBody,
  throttledDelayMs,
} from "#platform/http/refusals.ts";

const mebibyte = 1_048_576;

/** A limiter whose allowance recovers by one mebibyte a second. */
function fixture(allowance = bodyRecoverySeconds * mebibyte) {
  let now = 0;
  const slept: number[] = [];
  const clock = { now: () => now, sleep: (ms: number) => Promise.resolve(void slept.push(ms)) };
  const bodies = new RefusedBodies({ allowance, metrics: noMetrics, clock });
  const send = async (client: string, bytes: number, status: number) => {
    const meter = bodies.meter(client);
    try {
      meter.grown(bytes);
    } catch (error) {
      await meter.answered(429);
      return error as { status: number; retryAfter: number };
    }
    await meter.answered(status);
    return null;
  };
  return { bodies, send, slept, pass: (seconds: number) => void (now += seconds * 1_000) };
}

describe("RefusedBodies", () => {
  it("holds large bodies of an address off until its debt is below the allowance", async () => {
    const { send, pass, slept } = fixture();
    expect(await send("a", 80 * mebibyte, 400)).toBeNull();
    expect(await send("a", mebibyte, 400)).toMatchObject({ status: 429, retryAfter: 20 });
    expect(slept).toEqual([throttledDelayMs]);
    expect(await send("b", 80 * mebibyte, 200)).toBeNull();
    pass(19);
    expect(await send("a", mebibyte, 400)).toMatchObject({ status: 429, retryAfter: 1 });
    pass(2);
    expect(await send("a", mebibyte, 200)).toBeNull();
  });

  it("reads small bodies of anybody, and counts none of them", async () => {
    const { send } = fixture();
    await send("a", 80 * mebibyte, 400);
    expect(await send("a", smallBody, 400)).toBeNull();
    const { send: other } = fixture();
    for (let n = 0; n < 1_000; n++) expect(await other("a", smallBody, 400)).toBeNull();
    expect(await other("a", 80 * mebibyte, 400)).toBeNull();
  });

  it.each([200, 408, 429, 503])("counts nothing that is answered with %i", async (status) => {
    const { send } = fixture();
    for (let n = 0; n < 10; n++) expect(await send("a", 80 * mebibyte, status)).toBeNull();
  });

  it("bounds how long somebody is held off, whatever was under way at once", async () => {
    const { bodies, send } = fixture();
    const meters = Array.from({ length: 100 }, () => bodies.meter("a"));
    for (const meter of meters) meter.grown(80 * mebibyte);
    for (const meter of meters) await meter.answered(400);
    expect(await send("a", mebibyte, 200)).toMatchObject({ retryAfter: 120 });
  });

  it("tells one whose body is whole that others were refused meanwhile", async () => {
    const { bodies, send } = fixture();
    const waiting = bodies.meter("a");
    waiting.grown(mebibyte);
    await send("a", 80 * mebibyte, 400);
    expect(() => waiting.check()).toThrow("max-refused-bytes-per-address");
    expect(bodies.meter("a").remaining).toBe(smallBody);
    expect(bodies.meter("b").remaining).toBe(Infinity);
  });

  it("has no limit at 0, and none where there is no address", async () => {
    const { send } = fixture(0);
    const { send: nameless } = fixture();
    for (let n = 0; n < 10; n++) {
      expect(await send("a", 80 * mebibyte, 400)).toBeNull();
      expect(await nameless("", 80 * mebibyte, 400)).toBeNull();
    }
  });

  it("remembers so many addresses and no more", async () => {
    const { send } = fixture();
    for (let n = 0; n <= maxAddresses; n++) await send(`${n}`, 80 * mebibyte, 400);
    expect(await send("0", mebibyte, 200)).toBeNull();
    expect(await send("1", mebibyte, 200)).toMatchObject({ status: 429 });
  });
});
