import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import { faults, item, list } from "#test/support/seed/batches.ts";
import { inlineBytes, PreparePool } from "../bodies/pool.ts";
import { ProjectionWait } from "./outcomes.ts";

const statusOf = (error: unknown) => (error instanceof AppError ? error.status : String(error));

describe("PreparePool", () => {
  const large = () => new TextEncoder().encode(list(item({ name: "x".repeat(inlineBytes) })));

  it("refuses with 503 what is more than its queue holds, and loses none of the rest", async () => {
    const pool = new PreparePool(noMetrics);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => pool.prepare(large()).then(() => 200, statusOf)),
    );
    pool.stop();
    expect([answers.filter((a) => a === 200).length, answers.filter((a) => a === 503).length])
      .toEqual([34, 6]);
  });

  it("refuses with 503 what it still has when it stops", async () => {
    const pool = new PreparePool(noMetrics);
    const waiting = Array.from(
      { length: 4 },
      () => pool.prepare(large()).then(() => 200, statusOf),
    );
    pool.stop();
    expect(await Promise.all(waiting)).toEqual([503, 503, 503, 503]);
    expect(await pool.prepare(large()).catch(statusOf)).toBe(503);
  });

  it("reads a small batch of many items in a thread", async () => {
    const pool = new PreparePool(noMetrics);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const body = list(item(), ...Array(20_000).fill({}));
    expect(body.length).toBeLessThan(inlineBytes);
    const batch = await pool.prepare(new TextEncoder().encode(body));
    clearInterval(timer);
    pool.stop();
    expect([batch.chunks.length, batch.report.refused, batch.report.details.length])
      .toEqual([1, 20_000, 100]);
    expect(turns).toBeGreaterThan(0);
  });

  it("gives the answers of the event loop", async () => {
    const pool = new PreparePool(noMetrics);
    const wrong = list(item({ name: 5, owner: "x".repeat(inlineBytes) }), item({ catrn: 5 }));
    const error = await pool.prepare(new TextEncoder().encode(wrong)).catch((e) => e as AppError);
    pool.stop();
    expect((error as AppError).details.map((d) => `${d.field}: ${d.message}`)).toEqual(
      faults(wrong),
    );
  });
});

describe("ProjectionWait", () => {
  it("lets no more than its limit wait", async () => {
    const wait = new ProjectionWait({
      db: {
        query: () => Promise.resolve([{ position: 0, state: "running", silentMs: 0 }]),
      } as unknown as Database,
      graph: { projection: "projected" },
      wakeups: { on: () => () => {} } as unknown as Wakeups,
      clock: systemClock,
      log: silentLogger,
      maxWaiters: 1,
    });
    const first = wait.reached(1, 60_000);
    expect(await wait.reached(1, 60_000)).toBe(false);
    wait.stop();
    expect(await first).toBe(false);
  });
});
