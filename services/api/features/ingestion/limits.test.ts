import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/database.ts";
import type { Wakeups } from "#metadata/wakeups.ts";
import { faults, item, list } from "#test/support/batches.ts";
import { BodyReader } from "./body.ts";
import { inlineBytes, PreparePool } from "./prepare-pool.ts";
import { ProjectionWait } from "./projection.ts";

const statusOf = (error: unknown) => (error instanceof AppError ? error.status : String(error));
const post = (body: BodyInit) => new Request("http://localhost/", { method: "POST", body });

describe("BodyReader", () => {
  it("refuses with 503 what is more than eight of the largest bodies at once, then takes again", async () => {
    const reader = new BodyReader(1_000);
    const letGo = Promise.withResolvers<void>();
    const body = () => post(new Uint8Array(1_000));
    const held: Promise<void>[] = [];
    for (let n = 0; n < 8; n++) {
      await new Promise<void>((handedOver) => {
        held.push(reader.read(body(), () => {
          handedOver();
          return letGo.promise;
        }));
      });
    }
    const refused = await reader.read(body(), () => Promise.resolve("taken")).catch(statusOf);
    expect(refused).toBe(503);
    letGo.resolve();
    await Promise.all(held);
    expect(await reader.read(body(), () => Promise.resolve("taken"))).toBe("taken");
  });

  it("reads on to the end before it refuses an encoding, so that the client reads why", async () => {
    let left = 5;
    const body = new ReadableStream({
      pull(stream) {
        if (left-- > 0) stream.enqueue(new Uint8Array(100));
        else stream.close();
      },
    }, { highWaterMark: 0 });
    const headers = { "content-encoding": "br" };
    const request = new Request("http://localhost/", { method: "POST", body, headers });
    const refused = await new BodyReader(1_000).read(request, () => Promise.resolve("taken"))
      .catch(statusOf);
    expect([refused, left]).toEqual([415, -1]);
  });

  it("answers 400 when the connection breaks within the body", async () => {
    const broken = new ReadableStream({
      start: (stream) => stream.error(new Error("connection reset")),
    });
    const request = new Request("http://localhost/", { method: "POST", body: broken });
    const refused = await new BodyReader(10).read(request, () => Promise.resolve(200)).catch(
      statusOf,
    );
    expect(refused).toBe(400);
  });
});

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

  it("gives the answers of the event loop", async () => {
    const pool = new PreparePool(noMetrics);
    const wrong = list(item({ name: "x".repeat(inlineBytes) }), item({ catrn: 5 }));
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
