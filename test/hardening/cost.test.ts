import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownDelayMs, type Prober, type Seen, startProber } from "#test/support/engines/prober.ts";
import { apiCases } from "./cost/api.ts";
import type { CostCase } from "./cost/case.ts";
import { ingestionCases } from "./cost/ingestion.ts";
import { otlpCases } from "./cost/otlp.ts";
import { recordCases } from "./cost/records.ts";
import { faultOf } from "./send.ts";
import { nothingLeft, startSubject, type Subject } from "./subject.ts";

/** Longest wait for any other answer. */
const maxDelayMs = 1_000;
/** Most memory of the service with its children, PostgreSQL left out. */
const maxPeakMb = 1_024;
/** With `COST_ALL=1` also those that are like another. */
const all = process.env.COST_ALL === "1";
/** With `COST_ENGINES=distributed` over Kafka, Neo4j and Redis, which the run must have been given. */
const engines = process.env.COST_ENGINES === "distributed" ? "distributed" : "embedded";

/** Each over a service of its own, so that none pays for what another has left behind. */
const entrances: Record<string, CostCase[]> = {
  ingestion: ingestionCases(),
  API: apiCases(),
  OTLP: otlpCases(),
  "event log": recordCases(),
};

describe.each(Object.entries(entrances))("what one sender can make it cost, %s", {
  timeout: 180_000,
}, (_, cases) => {
  let subject: Subject;
  let prober: Prober;
  const open = async () => {
    subject = await startSubject(engines, { SERVER_MAX_REFUSED_BYTES_PER_ADDRESS: "0" });
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

  const chosen = cases.filter(({ alike }) => all || !alike)
    .map((one): [string, CostCase] => [one.name, one]);
  it.each(chosen)("%s", async (_, { send, declared }) => {
    const pid = subject.service.pid();
    try {
      const { seen, result } = await prober.during(async () => {
        const told = await send(subject);
        await nothingLeft(subject, 60_000);
        return told;
      });
      const figures = toldOf(seen);
      expect(result && faultOf(result, declared), figures).toBeNull();
      expect([subject.service.pid(), subject.service.ends()], "it ended").toEqual([pid, 0]);
      expect(seen.failures, figures).toEqual({});
      expect(ownDelayMs(seen), figures).toBeLessThan(maxDelayMs);
      expect(seen.peakMb, figures).toBeLessThan(maxPeakMb);
      const posted = await subject.shop.post("job", "a", "b");
      expect([posted.status, await subject.shop.fed("a")]).toEqual([200, ["a", "b", "job"]]);
    } catch (error) {
      await close();
      await open();
      throw error;
    }
  });
});

function toldOf({ latest, busiest, slowness, peakMb }: Seen): string {
  const [late, busy, peak] = [latest, busiest, peakMb].map(Math.round);
  return `latest answer ${late} ms (${busy} of the event loop, work took ` +
    `${slowness.toFixed(1)} x its CPU time), peak ${peak} MB`;
}
