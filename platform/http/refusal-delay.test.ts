import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import {
  RefusalDelay,
  refusalDelayMs,
  refusalRecoverySeconds,
  refusalsAtOnce,
} from "#platform/http/refusals.ts";

/** A delay over a clock that is moved by hand; `answer` returns the milliseconds by which an answer is late. */
function fixture() {
  let [now, late] = [0, 0];
  const clock = { now: () => now, sleep: (ms: number) => Promise.resolve(void (late += ms)) };
  const refusals = new RefusalDelay(clock, noMetrics);
  const answer = async (address: string | undefined, status: number, path = "/api/things") => {
    late = 0;
    await refusals.answered(address, status, { path });
    return late;
  };
  return { answer, pass: (seconds: number) => void (now += seconds * 1_000) };
}

describe("RefusalDelay", () => {
  it.each([401, 429])(
    "a network with many answers of %i gets the next ones late",
    async (status) => {
      const { answer, pass } = fixture();
      for (let n = 0; n < refusalsAtOnce; n++) expect(await answer("192.0.2.1", status)).toBe(0);
      expect(await answer("192.0.2.1", status)).toBe(refusalDelayMs);
      expect(await answer("192.0.2.2", status)).toBe(0);
      pass(refusalRecoverySeconds);
      expect(await answer("192.0.2.1", status)).toBe(0);
    },
  );

  it("delays nothing that succeeds, and counts nothing else", async () => {
    const { answer } = fixture();
    for (let n = 0; n < 2 * refusalsAtOnce; n++) await answer("192.0.2.1", 404);
    expect(await answer("192.0.2.1", 401)).toBe(0);
    for (let n = 0; n < refusalsAtOnce; n++) await answer("192.0.2.1", 401);
    for (const status of [200, 302, 400, 403, 503]) {
      expect(await answer("192.0.2.1", status)).toBe(0);
    }
    for (let n = 0; n < 2 * refusalsAtOnce; n++) expect(await answer(undefined, 401)).toBe(0);
  });

  it("takes all addresses of one IPv6 network for one", async () => {
    const { answer } = fixture();
    for (let n = 0; n < refusalsAtOnce; n++) await answer(`2001:db8::${n}`, 401);
    expect(await answer("2001:db8::ffff", 401)).toBe(refusalDelayMs);
  });

  it.each([
    "/ingestion/entities",
    "/api/v1/lineage",
    "/integrations/datahub/aspects",
    "/v1/traces",
  ])(
    "does not hold up collectors that are told to come back: %s",
    async (path) => {
      const { answer } = fixture();
      for (let n = 0; n < 2 * refusalsAtOnce; n++) {
        expect(await answer("192.0.2.1", 429, path)).toBe(0);
      }
      for (let n = 0; n < refusalsAtOnce; n++) expect(await answer("192.0.2.1", 401, path)).toBe(0);
      expect(await answer("192.0.2.1", 401, path)).toBe(refusalDelayMs);
    },
  );
});
