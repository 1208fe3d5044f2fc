import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { jobOf, ns, run, shownBy } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());
beforeEach(async () => void (await h.take()));

const { runs } = shownBy(() => h);
const hour = 60 * 60 * 1_000;

/** Merges runs of jobs, and spoils the stored state of some of these jobs; how to repair it. */
async function spoiled(namespace: string, jobs: string[], spoil: string[]) {
  for (const [n, name] of jobs.entries()) {
    await h.merge(run(namespace, "START", { name, n: n + 1 }));
  }
  const keys = spoil.map((name) => jobOf(namespace, name));
  const states = await h.rows<{ key: string; state: string }>(
    "SELECT key, state FROM ol_job WHERE key = ANY($1)",
    keys,
  );
  await h.rows("UPDATE ol_job SET state = '{}' WHERE key = ANY($1)", keys);
  return async () => {
    for (const { key, state } of states) {
      await h.rows("UPDATE ol_job SET state = $2 WHERE key = $1", key, state);
    }
  };
}

it("a job that cannot be mapped stops no other, and a warning names it", async () => {
  const namespace = ns();
  const jobs = ["a", "b", "bad1", "c", "bad2", "d"];
  await spoiled(namespace, jobs, ["bad1", "bad2"]);
  await h.take();
  for (const name of ["a", "b", "c", "d"]) {
    expect(await runs(jobOf(namespace, name))).toEqual([{ status: "RUNNING" }]);
  }
  expect(await runs(jobOf(namespace, "bad1"))).toEqual([]);
  await h.deps.intakeWarnings.flush();
  const warned = await h.rows<{ name: string }>(
    "SELECT DISTINCT name FROM openlineage_complaint WHERE kind = 'not_mapped' ORDER BY name",
  );
  const names = warned.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["bad1", "bad2"].map((n) => jobOf(namespace, n))));
  expect(names).not.toContain(jobOf(namespace, "a"));
});

it("what could not be mapped is tried again after an hour, and not before", async () => {
  const namespace = ns();
  const repair = await spoiled(namespace, ["bad"], ["bad"]);
  await h.take();
  await repair();
  h.clock.at += hour - 1;
  await h.take();
  expect(await runs(jobOf(namespace, "bad"))).toEqual([]);
  h.clock.at += 1;
  await h.take();
  expect(await runs(jobOf(namespace, "bad"))).toEqual([{ status: "RUNNING" }]);
});

it("what could not be mapped is tried again when something is reported of it", async () => {
  const namespace = ns();
  const repair = await spoiled(namespace, ["bad"], ["bad"]);
  await h.take();
  await repair();
  await h.take(run(namespace, "COMPLETE", { name: "bad" }));
  expect(await runs(jobOf(namespace, "bad"))).toEqual([{ status: "SUCCESS" }]);
});
