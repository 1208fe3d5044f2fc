import { afterAll, beforeAll, expect, it } from "vitest";
import { jobOf, ns, run, runIdOf, shownBy } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());
const { runs, alerts } = shownBy(() => h);

it("a DAG that only its tasks name has their run, which fails with one of them and follows another try", async () => {
  const namespace = ns();
  const task = (name: string, type: string, n: number) =>
    run(namespace, type, {
      name: `dag.${name}`,
      n,
      eventTime: new Date(h.clock.at + n * 1_000 - 600_000).toISOString(),
      facets: {
        parent: { run: { runId: runIdOf(namespace, 0) }, job: { namespace, name: "dag" } },
      },
    });
  const dag = jobOf(namespace, "dag");
  await h.take(task("extract", "START", 1));
  expect(await runs(dag)).toEqual([{ status: "RUNNING" }]);
  await h.take(task("extract", "COMPLETE", 1), task("load", "START", 2), task("load", "FAIL", 2));
  expect(await runs(dag)).toEqual([{ status: "FAILED" }]);
  expect(await alerts(dag)).toEqual([{ open: true }]);
  await h.take(task("load", "START", 3));
  await h.take(task("load", "COMPLETE", 3));
  expect(await runs(dag)).toEqual([{ status: "SUCCESS" }]);
  expect(await alerts(dag)).toEqual([{ open: false }]);
});

it("of runs that one event each names as the parent, at one time, one alone has the outcome of the task", async () => {
  const parents = ["a", "b", "c", "d", "e", "f"];
  const namespace = ns();
  const eventTime = new Date(h.clock.at - 600_000).toISOString();
  const task = (type: string, dag: string) =>
    run(namespace, type, {
      name: "load",
      eventTime,
      facets: { parent: { run: { runId: dag }, job: { namespace, name: dag } } },
    });
  for (const dag of parents) await h.take(task("FAIL", dag));
  const shown = await Promise.all(parents.map((dag) => runs(jobOf(namespace, dag))));
  expect(shown.flat().map(({ status }) => status).sort())
    .toEqual(["FAILED", ...parents.slice(1).map(() => "UNKNOWN")]);
});
