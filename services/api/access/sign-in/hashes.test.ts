import bcrypt from "bcryptjs";
import { describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import {
  comparisonsWaiting,
  comparisonsWaitingPerAddress,
  hashComparison,
} from "#services/api/access/sign-in/credentials.ts";

const hash = bcrypt.hashSync("right", 10);
const job = { password: "right", hashes: [hash] };

/** Resolves to the statuses of refusals among these comparisons. */
async function refusals(work: Promise<string[]>[]): Promise<number[]> {
  const done = await Promise.allSettled(work);
  return done.flatMap((one) => one.status === "rejected" ? [one.reason.status] : []);
}

describe("comparison of hashes", () => {
  it("finds the hashes that a password has", async () => {
    const compare = hashComparison(noMetrics);
    const other = bcrypt.hashSync("other", 4);
    expect(await compare({ password: "other", hashes: [hash, other] }, "a")).toEqual([other]);
    expect(await compare({ password: "wrong", hashes: [hash, other] }, "a")).toEqual([]);
    expect(await compare({ password: "wrong", hashes: [] }, "a")).toEqual([]);
  });

  it("leaves the event loop free while it compares", async () => {
    const compare = hashComparison(noMetrics);
    const costly = { password: "wrong", hashes: Array(6).fill(hash) };
    await compare(job, "a");
    const started = performance.now();
    let longest = 0;
    let last = started;
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await compare(costly, "a");
    clearInterval(timer);
    longest = Math.max(longest, performance.now() - last);
    expect(longest).toBeLessThan(Math.max(100, (performance.now() - started) / 2));
  });

  it("one network has its share of the queue, and delays others by one comparison", async () => {
    const compare = hashComparison(noMetrics);
    const flood = refusals(
      Array.from({ length: comparisonsWaiting + 5 }, () => compare(job, "flood")),
    );
    expect(await compare(job, "honest")).toEqual([hash]);
    const refused = await flood;
    expect(refused).toEqual(Array(comparisonsWaiting + 4 - comparisonsWaitingPerAddress).fill(503));
  });
});
