import { describe, expect, it } from "vitest";
import { edges, items, job, runEvent, t, table } from "../testing/cases.ts";
import type { InputEvent } from "./model.ts";

const of = (name: string, more = {}) => ({ namespace: "n", name, type: "DATASET", ...more });
const ofJob = (name: string) => ({ namespace: "n", name, type: "JOB" });

/** A COMPLETE run of the job `j` with the facet. */
function eventWith(entries: unknown[], given: Partial<InputEvent> = {}, at = 1): InputEvent {
  const event = runEvent("COMPLETE", at, given);
  return { ...event, job: { ...event.job!, facets: { lineage: { entries } } } };
}

const columnsOf = (events: InputEvent[]) =>
  items(events).get(job("j"))!.data_transformer!.column_lineage;

describe("the facet lineage of a job", () => {
  it("names inputs and outputs that the event does not name otherwise", () => {
    const entries = [{ ...of("out"), inputs: [of("a")], fields: { x: { inputs: [of("b")] } } }];
    expect(edges([eventWith(entries, { inputs: [t("a")], outputs: [] })]))
      .toEqual({ inputs: ["a", "b"], outputs: ["out"] });
  });

  it("names jobs that feed the job, and what it reads as a sink", () => {
    const entries = [{ type: "JOB", inputs: [ofJob("before"), of("a")] }];
    const { inputs } = items([eventWith(entries)]).get(job("j"))!.data_transformer!;
    expect(inputs).toEqual([table("a"), job("before")].sort());
    expect(edges([eventWith([{ ...ofJob("j"), inputs: [ofJob("k")] }])]).inputs).toEqual(["k"]);
    expect(edges([eventWith([{ ...ofJob("other"), inputs: [ofJob("k"), of("a")] }])]).inputs)
      .toEqual([]);
  });

  it("outranks columnLineage for the targets that it names", () => {
    const inputFields = [{ namespace: "n", name: "a", field: "wrong" }];
    const columnLineage = { fields: { x: { inputFields } } };
    const outputs = [t("out", { columnLineage }), t("other", { columnLineage })];
    const transformations = [{ type: "INDIRECT", subtype: "FILTER" }];
    const entries = [{
      ...of("out"),
      inputs: [of("a", { field: "day", transformations })],
      fields: { x: { inputs: [of("a", { field: "right" }), of("b")] } },
    }];
    expect(columnsOf([eventWith(entries, { outputs })])).toEqual([
      {
        target: { dataset_catrn: table("other"), field: "x" },
        sources: [{ dataset_catrn: table("a"), field: "wrong", type: "DIRECT" }],
      },
      {
        target: { dataset_catrn: table("out") },
        sources: [{ dataset_catrn: table("a"), field: "day", type: "INDIRECT", subtype: "FILTER" }],
      },
      {
        target: { dataset_catrn: table("out"), field: "x" },
        sources: [
          { dataset_catrn: table("a"), field: "right", type: "DIRECT" },
          { dataset_catrn: table("b"), type: "DIRECT" },
        ],
      },
    ]);
  });

  it("leaves columnLineage where it tells of no columns", () => {
    const inputFields = [{ namespace: "n", name: "a", field: "y" }];
    const outputs = [t("out", { columnLineage: { fields: { x: { inputFields } } } })];
    expect(columnsOf([eventWith([{ ...of("out"), inputs: [of("a")] }], { outputs })])).toHaveLength(
      1,
    );
  });

  it("of a job event declares inputs and outputs", () => {
    const entries = [{ ...of("out"), inputs: [of("a")] }];
    const event: InputEvent = {
      kind: "job",
      at: 1_000,
      job: { namespace: "n", name: "j", facets: { lineage: { entries } } },
    };
    expect(edges([event])).toEqual({ inputs: ["a"], outputs: ["out"] });
  });

  it("counts for nothing once it is taken back", () => {
    const taken = { ...runEvent("COMPLETE", 2) };
    taken.job = { ...taken.job!, facets: { lineage: { _deleted: true } } };
    expect(edges([eventWith([{ type: "JOB", inputs: [ofJob("k")] }]), taken]).inputs).toEqual([]);
  });
});

describe("the facet lineage of an output", () => {
  const edge = (field: string, source: string) => ({
    target: { dataset_catrn: table("out"), field: "x" },
    sources: [{ dataset_catrn: table(source), field, type: "DIRECT" }],
  });
  const lineage = { inputs: [of("a")], fields: { x: { inputs: [of("b", { field: "right" })] } } };
  const inputFields = [{ namespace: "n", name: "c", field: "wrong" }];
  const columnLineage = { fields: { x: { inputFields } } };

  it("names inputs, and outranks columnLineage of the output", () => {
    const events = [runEvent("COMPLETE", 1, { outputs: [t("out", { lineage, columnLineage })] })];
    expect(edges(events)).toEqual({ inputs: ["a", "b"], outputs: ["out"] });
    expect(columnsOf(events)).toEqual([edge("right", "b")]);
  });

  it("of a job event declares them", () => {
    const outputs = [t("out", { lineage })];
    const event: InputEvent = {
      kind: "job",
      at: 1_000,
      job: { namespace: "n", name: "j" },
      outputs,
    };
    expect(edges([event])).toEqual({ inputs: ["a", "b"], outputs: ["out"] });
    expect(columnsOf([event])).toEqual([edge("right", "b")]);
  });

  it("counts after what the job tells of the same columns, not after one that tells of none", () => {
    const outputs = [t("out", { lineage })];
    const entry = { ...of("out"), fields: { x: { inputs: [of("d", { field: "own" })] } } };
    expect(columnsOf([eventWith([entry], { outputs })])).toEqual([edge("own", "d")]);
    expect(columnsOf([eventWith([{ ...of("out"), inputs: [of("d")] }], { outputs })]))
      .toEqual([edge("right", "b")]);
  });

  it("counts for nothing when it is taken back, or of an input", () => {
    const outputs = [t("out", { lineage: { ...lineage, _deleted: true } })];
    expect(edges([runEvent("COMPLETE", 1, { outputs, inputs: [t("i", { lineage })] })]))
      .toEqual({ inputs: ["i"], outputs: ["out"] });
  });
});
