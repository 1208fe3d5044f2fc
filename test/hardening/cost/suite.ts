import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ownDelayMs,
  type Prober,
  type ProbeWindow,
  startProber,
} from "#test/support/engines/prober.ts";
import { isLongRun, sampled } from "#test/support/size.ts";
import { faultOf } from "../send.ts";
import { nothingLeft, startSubject, type Subject } from "../subject.ts";
import type { CostCase } from "./case.ts";

/** Longest wait for any other answer. */
const maxDelayMs = 1_000;
/** Most memory of the service with its children, PostgreSQL left out. */
const maxPeakMb = 1_024;
/** With `COST_ENGINES=distributed` over Kafka, Neo4j and Redis, which the run must have been given. */
const engines = process.env.COST_ENGINES === "distributed" ? "distributed" : "embedded";

/** Expects that no case of an entrance delays other requests, ends the service or fills its memory. */
export function boundsCost(entrance: string, cases: CostCase[]): void {
  describe(`what one sender can make it cost, ${entrance}`, { timeout: 180_000 }, () => {
    bounded(sampled(cases.filter(({ alike }) => isLongRun || !alike), 8));
  });
}

function bounded(cases: CostCase[]): void {
  let subject: Subject;
  let prober: Prober;
  const open = async () => {
    // Together the cases send more than one sender may.
    subject = await startSubject(engines, {
      SERVER_MAX_REFUSED_BYTES_PER_ADDRESS: "0",
      SERVER_MAX_WRITTEN_PER_CALLER: "0",
    });
    const id = await subject.shop.id("a");
    prober = startProber(subject.service.pid(), [
      `${subject.url}/health/live`,
      `${subject.url}/api/dataentities/${id}`,
    ]);
  };
  const close = async () => {
    prober?.stop();
    await subject?.service.kill();
    await subject?.stop();
  };
  beforeAll(open);
  afterAll(close);

  it.each(cases)("$name", async ({ send, declared }) => {
    const pid = subject.service.pid();
    try {
      const { seen, result } = await prober.during(async () => {
        const answer = await send(subject);
        await nothingLeft(subject, 60_000);
        return answer;
      });
      const measured = measurementsOf(seen);
      expect(result && faultOf(result, declared), measured).toBeNull();
      expect([subject.service.pid(), subject.service.ends()], "it ended").toEqual([pid, 0]);
      expect(seen.failures, measured).toEqual({});
      expect(ownDelayMs(seen), measured).toBeLessThan(maxDelayMs);
      expect(seen.peakMb, measured).toBeLessThan(maxPeakMb);
      const posted = await subject.shop.post("job", "a", "b");
      expect([posted.status, await subject.shop.fed("a")]).toEqual([200, ["a", "b", "job"]]);
    } catch (error) {
      await close();
      await open();
      throw error;
    }
  });
}

function measurementsOf({ latest, busiest, slowness, peakMb }: ProbeWindow): string {
  const [late, busy, peak] = [latest, busiest, peakMb].map(Math.round);
  return `latest answer ${late} ms (${busy} of the event loop, work took ` +
    `${slowness.toFixed(1)} x its CPU time), peak ${peak} MB`;
}
