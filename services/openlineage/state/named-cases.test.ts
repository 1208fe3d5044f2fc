import { describe, expect, it } from "vitest";
import { edges, items, job, runEvent, runOf, t, table, uuid } from "../testing/cases.ts";
import { hour, mapAll, plainRules, stateOf } from "../testing/memory.ts";
import type { EventType, InputDataset, InputEvent } from "./model.ts";

describe("a run", () => {
  it("stays ended when its START comes after its COMPLETE", () => {
    const run = runOf([runEvent("COMPLETE", 10), runEvent("START", 20), runEvent("START", 5)]);
    expect(run).toMatchObject({ status: "SUCCESS", start_time: "1970-01-01T00:00:05.000Z" });
    expect(runOf([runEvent("COMPLETE", 10), runEvent("START", 20)])).toMatchObject({
      status: "SUCCESS",
    });
  });

  it("failed when FAIL and COMPLETE are of one time, else what came last counts", () => {
    const [fail, complete] = [runEvent("FAIL", 10), runEvent("COMPLETE", 10)];
    expect(runOf([fail, complete])).toMatchObject({ status: "FAILED" });
    expect(runOf([runEvent("ABORT", 10), complete])).toMatchObject({ status: "ABORTED" });
    expect(runOf([fail, runEvent("COMPLETE", 11)])).toMatchObject({ status: "SUCCESS" });
  });

  it("of a streaming job runs again when it starts again", () => {
    const of = { streaming: true };
    const events = [runEvent("START", 1, of), runEvent("FAIL", 2, of), runEvent("START", 3, of)];
    expect(runOf(events)).toMatchObject({ status: "RUNNING" });
    expect(runOf(events)).not.toHaveProperty("end_time");
    expect(runOf([...events, runEvent("COMPLETE", 4, of)])).toMatchObject({ status: "SUCCESS" });
    expect(runOf(events, 90 * 24 * hour / 1_000)).toMatchObject({ status: "RUNNING" });
  });

  it("is UNKNOWN, with the reason, when nothing was heard of it for the timeout, until it ends", () => {
    const start = runEvent("START", 1);
    expect(runOf([start])).toMatchObject({ status: "RUNNING" });
    const late = runOf([start], 25 * 3_600);
    expect(late).toMatchObject({
      status: "UNKNOWN",
      status_reason: expect.stringContaining("24 h"),
    });
    expect(runOf([start, runEvent("COMPLETE", 2)], 25 * 3_600)).toMatchObject({
      status: "SUCCESS",
    });
  });

  it("tells why it failed", () => {
    const facets = { errorMessage: { message: "no space left" } };
    expect(runOf([runEvent("FAIL", 1, { facets })])).toMatchObject({
      status_reason: "no space left",
    });
  });

  it("belongs to the job that has a name; one without waits ten minutes for it", () => {
    const start = runEvent("START", 1, { name: "unknown" });
    expect([...items([start], 300).keys()]).toEqual([]);
    expect(items([start], 700).has(`${job("unknown")}/runs/${uuid(1)}`)).toBe(true);
    const found = items([start, runEvent("COMPLETE", 0)], 700);
    expect([...found.keys()]).toEqual([job("j"), `${job("j")}/runs/${uuid(1)}`]);
  });
});

describe("the edges of a job", () => {
  it("show at START, and an empty last run erases nothing", () => {
    const start = runEvent("START", 1, { inputs: [t("a")], outputs: [t("b")] });
    expect(edges([start])).toEqual({ inputs: ["a"], outputs: ["b"] });
    const empty = { run_id: 2, inputs: [], outputs: [] };
    expect(edges([start, runEvent("COMPLETE", 2), runEvent("COMPLETE", 3, empty)]))
      .toEqual({ inputs: ["a"], outputs: ["b"] });
  });

  it("of earlier runs leave, and the job says how many there were", () => {
    const runs = [1, 2, 3, 4, 5].map((n) =>
      runEvent("COMPLETE", n, { run_id: n, inputs: [t("all"), t(`day_${n}`)], outputs: [t("b")] })
    );
    expect(edges(runs)).toEqual({ inputs: ["all", "day_3", "day_4", "day_5"], outputs: ["b"] });
    const [own] = items(runs).get(job("j"))!.metadata!;
    expect(own!.metadata).toMatchObject({ inputs_of_earlier_runs: 2 });
    expect(own!.metadata).not.toHaveProperty("outputs_of_earlier_runs");
  });

  it("come from what columns were made of too, though the list of inputs leaves it out", () => {
    const from = (...names: string[]) =>
      names.map((name) => ({ namespace: "n", name, field: "c", transformations: [] }));
    const columnLineage = {
      fields: { c: { inputFields: from("seed", "b", "a") } },
      dataset: from("filter"),
    };
    const outputs = [t("b", { columnLineage })];
    for (const inputs of [undefined, [], [t("a")]]) {
      expect(edges([runEvent("COMPLETE", 1, { inputs, outputs })]))
        .toEqual({ inputs: ["a", "filter", "seed"], outputs: ["b"] });
    }
  });

  it("are not touched by RUNNING with empty lists", () => {
    const start = runEvent("START", 1, { inputs: [t("a")], outputs: [t("b")] });
    const running = runEvent("RUNNING", 2, { inputs: [], outputs: [] });
    expect(edges([start, running])).toEqual({ inputs: ["a"], outputs: ["b"] });
  });

  it("are those of the last three COMPLETE runs that had any, and of all since", () => {
    const run = (n: number, type: EventType) =>
      runEvent(type, n, { run_id: n, inputs: [t(`i${n}`)], outputs: [] });
    const five = [1, 2, 3, 4, 5].map((n) => run(n, "COMPLETE"));
    expect(edges(five).inputs).toEqual(["i3", "i4", "i5"]);
    expect(edges([...five, run(6, "FAIL")]).inputs).toEqual(["i3", "i4", "i5", "i6"]);
    expect(edges([...five, run(6, "FAIL"), run(7, "COMPLETE")]).inputs).toEqual(["i4", "i5", "i7"]);
    expect(edges([...five, run(0, "RUNNING")]).inputs).toEqual(["i0", "i3", "i4", "i5"]);
  });

  it("are cut by a complete snapshot", () => {
    const jobType = { emissionPattern: { eventContentMode: "COMPLETE_SNAPSHOT" } };
    const snapshot = { ...runEvent("RUNNING", 5, { inputs: [t("b")] }) };
    snapshot.job = { ...snapshot.job!, facets: { jobType } };
    expect(edges([runEvent("START", 1, { inputs: [t("a")] }), snapshot]).inputs).toEqual(["b"]);
  });

  it("are declared by job events: [] clears what was declared alone", () => {
    const declared = (at: number, inputs?: InputDataset[]): InputEvent => (
      {
        kind: "job",
        at: at * 1_000,
        job: { namespace: "n", name: "j" },
        ...inputs ? { inputs } : {},
      }
    );
    const run = runEvent("COMPLETE", 1, { inputs: [t("r")] });
    expect(edges([run, declared(2, [t("d")]), declared(3)]).inputs).toEqual(["d", "r"]);
    expect(edges([run, declared(4, []), declared(2, [t("d")])]).inputs).toEqual(["r"]);
  });

  it("of a streaming job leave when they are not seen for their time", () => {
    const of = { streaming: true };
    const start = runEvent("START", 1, { ...of, inputs: [t("a"), t("b")] });
    const running = runEvent("RUNNING", 3_000, { ...of, inputs: [t("b")] });
    const rules = { ...plainRules, now: 4_000_000, streamingEdgeTtlMs: hour };
    const item = mapAll(stateOf([[start, running]]), rules).get(job("j"))!;
    expect(item.data_transformer!.inputs).toEqual([table("b")]);
  });

  it("of a stream stay while it reports that it runs, even if it lists them only once", () => {
    const rules = { ...plainRules, now: 9_000_000, streamingEdgeTtlMs: hour };
    for (const jobType of [{ processingType: "STREAMING" }, { lifecycleType: "UNBOUNDED" }]) {
      const start = runEvent("START", 1, { inputs: [t("a")], outputs: [t("b")] });
      start.job = { ...start.job!, facets: { jobType } };
      const running = runEvent("RUNNING", 8_000, {});
      running.job = start.job;
      const item = mapAll(stateOf([[start, running]]), rules).get(job("j"))!;
      expect(item.data_transformer).toMatchObject({ inputs: [table("a")], outputs: [table("b")] });
    }
  });
});

describe("jobs above jobs", () => {
  const below = (name: string, parent: string, at: number, run_id = 1) =>
    runEvent("COMPLETE", at, {
      name,
      run_id,
      facets: { parent: { run: { runId: "p" }, job: { namespace: "n", name: parent } } },
    });

  it("a parent is a DAG of its children, from the facet alone", () => {
    const found = items([below("j", "dag", 1), below("k", "dag", 2, 2)]).get(job("dag"))!;
    expect(found.type).toBe("DAG");
    expect(found.data_entity_group?.entities_list).toEqual([job("j"), job("k")]);
  });

  it("is not its own parent, and the newest link of a cycle does not count", () => {
    expect(items([below("j", "j", 1)]).get(job("j"))!.type).toBe("JOB");
    const cycle = items([below("a", "b", 1), below("b", "c", 2, 2), below("c", "a", 3, 3)]);
    const members = ["a", "b", "c"].map((name) =>
      cycle.get(job(name))!.data_entity_group?.entities_list
    );
    expect(members).toEqual([undefined, [job("a")], [job("b")]]);
  });
});
