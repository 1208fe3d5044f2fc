import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishRemovals } from "#platform/composed-source/removals.ts";
import { publishAll } from "./worker.ts";
import { jobOf, ns, pg, run, runIdOf, shownBy, tableOf } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

const minute = 60_000;

let h: Harness;
beforeAll(async () => {
  h = await harness();
  // What is received in the future counts as received now, so time moves in the past.
  h.clock.at -= 3 * 60 * minute;
});
afterAll(() => h.drop());

const { statusOf, runs } = shownBy(() => h);

const [live, gone] = [["true"], ["false"]];
const testOf = (namespace: string, table: string, test: string) =>
  `${tableOf(namespace, table)}/tests/openlineage/${test}`;
const asserting = (...names: string[]) => ({
  dataQualityAssertions: {
    assertions: names.map((name) => ({ assertion: "not_null", name, success: true })),
  },
});
const runsOf = async (task: string) =>
  (await h.rows<{ catrn: string }>(
    `SELECT r.catrn FROM task_run r JOIN data_entity e ON e.id = r.task_id WHERE e.catrn = $1`,
    task,
  )).map(({ catrn }) => catrn);
const statuses = async (catrn: string) => (await statusOf(catrn)).map(({ status }) => status);

const renamed = (namespace: string) => ({
  dataset: {
    namespace: pg(namespace),
    name: "shop.public.new",
    facets: {
      lifecycleStateChange: {
        lifecycleStateChange: "RENAME",
        previousIdentifier: { namespace: pg(namespace), name: "shop.public.old" },
      },
    },
  },
});

describe("a test", () => {
  it("of a dataset that has another name now is under that name alone", async () => {
    const namespace = ns();
    const tested = { namespace: pg(namespace), name: "shop.public.old" };
    await h.take(run(namespace, "COMPLETE", { inputs: [{ ...tested, facets: asserting("one") }] }));
    expect(await statuses(testOf(namespace, "old", "one"))).toEqual(live);
    h.clock.at += minute;
    await h.take(renamed(namespace));
    expect(await statuses(testOf(namespace, "new", "one"))).toEqual(live);
    expect(await statuses(testOf(namespace, "old", "one"))).toEqual(gone);
    expect(await runsOf(testOf(namespace, "old", "one"))).toEqual([]);
    expect(await runsOf(testOf(namespace, "new", "one"))).toHaveLength(1);
  });

  it("that a run tells of as a whole follows its dataset too", async () => {
    const namespace = ns();
    const facets = { test: { tests: [{ name: "whole", status: "PASS" }] } };
    const inputs = [{ namespace: pg(namespace), name: "shop.public.old" }];
    await h.take(run(namespace, "COMPLETE", { facets, inputs }));
    h.clock.at += minute;
    await h.take(renamed(namespace));
    expect(await statuses(testOf(namespace, "new", "whole"))).toEqual(live);
    expect(await statuses(testOf(namespace, "old", "whole"))).toEqual(gone);
  });

  it("that its run turns out not to have made is deleted, unless another run made it", async () => {
    const namespace = ns();
    const io = (...names: string[]) => ({
      inputs: [{ namespace: pg(namespace), name: "shop.public.t", facets: asserting(...names) }],
    });
    await h.take(
      run(namespace, "START", io("one", "shared")),
      run(namespace, "COMPLETE", { ...io("shared"), n: 2 }),
    );
    h.clock.at += minute;
    await h.take(run(namespace, "COMPLETE", io("two")));
    expect(await statuses(testOf(namespace, "t", "one"))).toEqual(gone);
    expect(await statuses(testOf(namespace, "t", "shared"))).toEqual(live);
    const shared = testOf(namespace, "t", "shared");
    expect(await runsOf(shared)).toEqual([`${shared}/runs/${runIdOf(namespace, 2)}`]);
    h.clock.at += minute;
    await h.take(run(namespace, "COMPLETE", { ...io("one"), n: 3 }));
    expect(await statuses(testOf(namespace, "t", "one"))).toEqual(live);
  });
});

describe("what is told of a run", () => {
  const storedFor = async (namespace: string, n: number) => {
    const [row] = await h.rows<{ metadata: Record<string, string> }>(
      "SELECT metadata FROM task_run WHERE name = $1",
      runIdOf(namespace, n),
    );
    return row!.metadata;
  };
  const named = (namespace: string) => ({ namespace: pg(namespace), name: "shop.public.old" });

  it("names its datasets as they are called now, though no event of it comes", async () => {
    const namespace = ns();
    const read = { ...named(namespace), facets: { version: { datasetVersion: "7" } } };
    const written = { ...named(namespace), outputFacets: { outputStatistics: { rowCount: 3 } } };
    const counted = { ...named(namespace), inputFacets: { inputStatistics: { rowCount: 2 } } };
    await h.take(
      run(namespace, "COMPLETE", { inputs: [read] }),
      run(namespace, "COMPLETE", { outputs: [written], n: 2 }),
      run(namespace, "COMPLETE", { inputs: [counted], n: 3 }),
    );
    expect(await storedFor(namespace, 2)).toMatchObject({
      output_statistics: `["${tableOf(namespace, "old")} 3 rows"]`,
    });
    h.clock.at += minute;
    await h.take(renamed(namespace));
    const now = tableOf(namespace, "new");
    expect(await storedFor(namespace, 1)).toMatchObject({ input_versions: `["${now} 7"]` });
    expect(await storedFor(namespace, 2)).toMatchObject({ output_statistics: `["${now} 3 rows"]` });
    expect(await storedFor(namespace, 3)).toMatchObject({ input_statistics: `["${now} 2 rows"]` });
  });

  it("stays as it was posted where it names no dataset", async () => {
    const namespace = ns();
    await h.take(run(namespace, "COMPLETE", { inputs: [named(namespace)] }));
    h.clock.at += minute;
    const posted = await h.take(renamed(namespace));
    expect([...posted.keys()].filter((catrn) => catrn.includes("/runs/"))).toEqual([]);
  });
});

describe("a run under the job `unknown`", () => {
  it("is under its real job alone once that is told, and the job without runs goes", async () => {
    const namespace = ns();
    const [unknown, real] = [jobOf(namespace, "unknown"), jobOf(namespace, "real")];
    await h.take(
      run(namespace, "START", { name: "unknown" }),
      run(namespace, "START", { name: "unknown", n: 2 }),
    );
    h.clock.at += 11 * minute;
    await h.take();
    expect(await runs(unknown)).toEqual([{ status: "RUNNING" }, { status: "RUNNING" }]);
    await h.take(run(namespace, "COMPLETE", { name: "real" }));
    expect(await runs(real)).toEqual([{ status: "SUCCESS" }]);
    expect(await runs(unknown)).toEqual([{ status: "RUNNING" }]);
    expect(await statuses(unknown)).toEqual(live);
    h.clock.at += minute;
    await h.take(run(namespace, "COMPLETE", { name: "real", n: 2 }));
    expect(await runs(unknown)).toEqual([]);
    expect(await statuses(unknown)).toEqual(gone);
    await h.take(run(namespace, "START", { name: "unknown", n: 3 }));
    h.clock.at += 11 * minute;
    await h.take();
    expect(await statuses(unknown)).toEqual(live);
    expect(await runs(unknown)).toEqual([{ status: "RUNNING" }]);
  });
});

it("what leaves and is posted again before it left, stays", async () => {
  const namespace = ns();
  const io = (...names: string[]) => ({
    inputs: [{ namespace: pg(namespace), name: "shop.public.t", facets: asserting(...names) }],
  });
  await h.take(run(namespace, "START", io("one")));
  h.clock.at += minute;
  await h.merge(run(namespace, "RUNNING", io("two")));
  await h.publish();
  h.clock.at += minute;
  await h.take(run(namespace, "COMPLETE", io("one")));
  expect(await statuses(testOf(namespace, "t", "one"))).toEqual(live);
  const one = testOf(namespace, "t", "one");
  expect(await runsOf(one)).toEqual([`${one}/runs/${runIdOf(namespace, 1)}`]);
  expect(await h.rows("SELECT FROM ol_leaving WHERE catrn LIKE $1", `${one}%`)).toEqual([]);
});

describe("what leaves, and whose last batch never came into the log", () => {
  const refuse = () => Promise.reject(new Error("the log is down"));

  /** Has a dataset claimed to be posted again, which the log refuses, and then named otherwise. */
  async function leavesUnposted(namespace: string): Promise<string> {
    const io = (facets: object) => ({
      outputs: [{ namespace: pg(namespace), name: "shop.public.old", facets }],
    });
    await h.take(run(namespace, "START", io({})));
    h.clock.at += minute;
    await h.merge(run(namespace, "RUNNING", io({ documentation: { description: "new" } })));
    const { publish } = h.deps.events;
    Object.assign(h.deps.events, { publish: refuse });
    await expect(publishAll(h.deps)).rejects.toThrow("does not take batches");
    Object.assign(h.deps.events, { publish });
    await h.rows("UPDATE ol_dataset SET claimed_until = NULL");
    await h.take(renamed(namespace));
    return tableOf(namespace, "old");
  }
  const age = () => h.rows("UPDATE ol_leaving SET since = since - interval '1 minute'");
  const removed = (until: number | null) =>
    publishRemovals({ ...h.deps, applied: { until: () => Promise.resolve(until) } });

  it("waits while the log holds batches that are not applied", async () => {
    const old = await leavesUnposted(ns());
    await age();
    await removed(null);
    await removed(Date.now() - 2 * minute);
    expect(await statuses(old)).toEqual(live);
    await h.rows("DELETE FROM ol_leaving");
  });

  it("is deleted once all is applied that the log took since", async () => {
    const old = await leavesUnposted(ns());
    await removed(Date.now());
    expect(await statuses(old)).toEqual(live);
    await age();
    await removed(Date.now());
    expect(await statuses(old)).toEqual(gone);
    expect(await h.rows("SELECT FROM ol_leaving")).toEqual([]);
  });
});
