import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { countedDatabase } from "#test/support/statements/counted.ts";
import { jobOf, ns, run, shownBy } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";
import { queue } from "./rows.queries.ts";
import { lineagePublisher } from "./worker.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());
beforeEach(async () => void (await h.take()));

const { runs } = shownBy(() => h);
const isDue = async () => (await h.db.query(queue.anyDue, [h.clock.now()]))[0]!.due;

/** A publisher whose rounds follow one another when the test ends their rest. */
async function started() {
  const counted = countedDatabase(h.db);
  let rested = Promise.withResolvers<() => void>();
  const clock = {
    now: h.clock.now,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((end) => {
        if (signal?.aborted) return end();
        signal?.addEventListener("abort", () => end(), { once: true });
        rested.resolve(end);
      }),
  };
  const worker = lineagePublisher({ ...h.deps, db: counted.db, clock });
  await worker.start((error) => {
    throw error;
  });
  await rested.promise;
  return {
    worker,
    /** Ends the rest; the statements of the round that follows. */
    async round(wake?: () => void) {
      const end = await rested.promise;
      rested = Promise.withResolvers();
      const { statements } = await counted.during(async () => {
        (wake ?? end)();
        await rested.promise;
      });
      return statements;
    },
  };
}

it("a poll asks in one statement while nothing is due, and maps what is", async () => {
  const { worker, round } = await started();
  expect(await round()).toEqual(["ol-any-due"]);
  await h.merge(run(ns(), "START"));
  expect((await round()).slice(0, 2)).toEqual(["ol-any-due", "ol-take-datasets"]);
  await worker.stop();
});

it("a wake-up maps at once, without asking first", async () => {
  await h.take();
  const { worker, round } = await started();
  expect(await round()).toEqual(["ol-any-due"]);
  await h.merge(run(ns(), "START"));
  expect((await round(() => worker.wake()))[0]).toBe("ol-take-datasets");
  await worker.stop();
});

it("what another process merged, what falls due and what leaves is found by a poll", async () => {
  expect(await isDue()).toBe(false);
  const namespace = ns();
  await h.merge(run(namespace, "START"));
  expect(await isDue()).toBe(true);
  await h.publish();
  await h.ingest();
  expect(await isDue()).toBe(false);
  h.clock.at += 25 * 3_600_000;
  expect(await isDue()).toBe(true);
  await h.take();
  expect(await runs(jobOf(namespace))).toEqual([{ status: "UNKNOWN" }]);
  expect(await isDue()).toBe(false);
  await h.db.query("INSERT INTO ol_leaving (catrn, received_at) VALUES ('//left', 1)");
  expect(await isDue()).toBe(true);
  await h.db.query("DELETE FROM ol_leaving");
});

it("rows that are being mapped are left to who has them, until their claim is over", async () => {
  const namespace = ns();
  await h.merge(run(namespace, "START"));
  for (const table of ["ol_job", "ol_run", "ol_dataset"]) {
    await h.db.query(`UPDATE ${table} SET claimed_until = now() + interval '1 minute'`);
  }
  expect(await isDue()).toBe(false);
  await h.db.query("UPDATE ol_run SET claimed_until = now() - interval '1 second'");
  expect(await isDue()).toBe(true);
  for (const table of ["ol_job", "ol_run", "ol_dataset"]) {
    await h.db.query(`UPDATE ${table} SET claimed_until = NULL`);
  }
});
