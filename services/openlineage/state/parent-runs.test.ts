import { describe, expect, it } from "vitest";
import { items, job, runEvent, uuid } from "../testing/cases.ts";
import { mapAll, plainRules, stateOf } from "../testing/memory.ts";
import { seeded } from "#test/support/random.ts";
import { shuffled } from "../testing/random-events.ts";
import type { EventType, InputEvent } from "./model.ts";

const dag = uuid(900);

/** An event of a task that names its DAG, which sends nothing itself. */
const task = (name: string, type: EventType, at: number, run_id: number): InputEvent =>
  runEvent(type, at, {
    name,
    run_id,
    facets: { parent: { run: { runId: dag }, job: { namespace: "n", name: "dag" } } },
  });

/** The run of the DAG, which does not depend on the order of events. */
function dagRun(events: InputEvent[], now = 9_000) {
  const catrn = `${job("dag")}/runs/${dag}`;
  const run = items(events, now).get(catrn)?.data_transformer_run;
  for (let seed = 1; seed <= 10; seed++) {
    const rules = { ...plainRules, now: now * 1_000 };
    const other = mapAll(stateOf(shuffled(seeded(seed), events)), rules);
    expect([seed, other.get(catrn)?.data_transformer_run]).toEqual([seed, run]);
  }
  return run;
}

const instant = (seconds: number) => new Date(seconds * 1_000).toISOString();

describe("the run of a DAG that only its tasks name", () => {
  const extracted = [task("extract", "START", 100, 1), task("extract", "COMPLETE", 110, 1)];
  const loaded = [task("load", "START", 115, 2), task("load", "COMPLETE", 130, 2)];

  it("succeeds when all of its tasks did, and runs until a while after the last of them", () => {
    expect(dagRun([...extracted, ...loaded])).toMatchObject({
      start_time: instant(100),
      end_time: instant(130),
      status: "SUCCESS",
    });
    expect(dagRun(extracted, 120)).toMatchObject({ status: "RUNNING" });
    expect(dagRun([...extracted, loaded[0]!], 1_000)).toMatchObject({ status: "RUNNING" });
  });

  it("fails when one of its tasks failed, and succeeds when that succeeds on another try", () => {
    const failed = [task("load", "START", 115, 2), task("load", "FAIL", 130, 2)];
    expect(dagRun([...extracted, ...failed])).toMatchObject({
      status: "FAILED",
      status_reason: "1 of 2 tasks failed: load",
      end_time: instant(130),
    });
    const again = [task("load", "START", 140, 3), task("load", "COMPLETE", 150, 3)];
    expect(dagRun([...extracted, ...failed, ...again])).toMatchObject({
      status: "SUCCESS",
      end_time: instant(150),
    });
  });

  it("is aborted when a task was and none failed", () => {
    expect(dagRun([...extracted, task("load", "ABORT", 130, 2)])?.status).toBe("ABORTED");
  });

  it("is lost when a task of it never ends", () => {
    expect(dagRun([...extracted, task("load", "START", 115, 2)], 200_000)).toMatchObject({
      status: "UNKNOWN",
      status_reason: "No event of its tasks for 24 h, and 1 not ended",
    });
  });

  it("is what its own events say, once there are any", () => {
    const own = runEvent("FAIL", 140, { name: "dag", run_id: 900 });
    expect(dagRun([...extracted, ...loaded, own])?.status).toBe("FAILED");
  });
});

it("a run that names itself as its parent stands alone", () => {
  const facets = { parent: { run: { runId: uuid(1) }, job: { namespace: "n", name: "j" } } };
  const found = items([runEvent("COMPLETE", 10, { facets })]);
  expect([...found.keys()].filter((catrn) => catrn.includes("/runs/")))
    .toEqual([`${job("j")}/runs/${uuid(1)}`]);
});
