import { describe, expect, it } from "vitest";
import { OpenLineageEvent } from "./event.ts";
import { jsonOf } from "./record.ts";
import {
  accepted,
  eventOf,
  outputWith,
  refusalOf,
  runWith,
  warningsOf,
} from "./testing/acceptance.ts";
import {
  datasetEvent,
  datasetFacetSamples,
  facet,
  jobEvent,
  jobFacetSamples,
  runFacetSamples,
  smallRunEvent,
  wholeRunEvent,
} from "./testing/samples.ts";

describe("the kind follows from the structure", () => {
  it.each([
    ["run", wholeRunEvent()],
    ["run", smallRunEvent()],
    ["job", jobEvent()],
    ["dataset", datasetEvent()],
    ["run", { ...wholeRunEvent(), ...datasetEvent() }],
    ["job", { ...jobEvent(), run: null }],
  ])("%s", (kind, value) => expect(eventOf(value).kind).toBe(kind));

  it.each([
    [[], "the event must be an object"],
    ["text", "the event must be an object"],
    [null, "the event must be an object"],
    [{ eventTime: "2026-01-01T00:00:00Z" }, "the event has neither a run, a job nor a dataset"],
    [runWith({ job: undefined }), "job: missing"],
    [runWith({ run: "r" }), "run: must be an object"],
    [runWith({ run: {} }), "run.runId: missing"],
    [runWith({ run: { runId: "" } }), "run.runId: must not be empty"],
    [runWith({ run: { runId: 5 } }), "run.runId: must be text"],
    [runWith({ run: { runId: "ü".repeat(151) } }), "run.runId: must be at most 300 bytes of UTF-8"],
    [runWith({ run: { runId: "a\0b" } }), "run.runId: must not hold the character NUL"],
    [runWith({ run: { runId: "\ud800" } }), "run.runId: must not hold half a surrogate pair"],
    [runWith({ job: { namespace: "n" } }), "job.name: missing"],
    [runWith({ job: { name: "n", namespace: null } }), "job.namespace: missing"],
    [runWith({ eventTime: undefined }), "eventTime: missing"],
    [runWith({ dataset: {}, run: undefined, job: undefined }), "dataset.namespace: missing"],
    [
      runWith({ eventTime: "yesterday" }),
      "eventTime: must be an RFC 3339 date-time, such as 2024-01-31T12:00:00Z",
    ],
  ])("or it is refused: %j", (value, expected) => expect(refusalOf(value)).toBe(expected));
});

describe("times", () => {
  it.each([
    ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T10:00:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T10:00Z", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01 10:00:00.5+02:00", "2026-03-01T08:00:00.500Z"],
    ["2026-03-01T10:00:00.123456789+0230", "2026-03-01T07:30:00.123Z"],
    ["2026-03-01t10:00:00-01", "2026-03-01T11:00:00.000Z"],
    ["2026-03-01T10:00:00+01:00[Europe/Berlin]", "2026-03-01T09:00:00.000Z"],
  ])("%s is taken", (given, at) => {
    expect(new Date(eventOf(runWith({ eventTime: given })).eventTime).toISOString()).toBe(at);
  });

  it.each(["2026-13-01T10:00:00Z", "0000-01-01T00:00:00Z", "2026-03-01", "1772359200", 5, {}])(
    "%j is not",
    (given) => expect(refusalOf(runWith({ eventTime: given }))).toContain("eventTime: must be"),
  );
});

it.each([
  ["START", "START"],
  ["complete", "COMPLETE"],
  [" Fail ", "FAIL"],
  ["ENDED", "OTHER"],
  [undefined, "OTHER"],
  [7, "OTHER"],
])("the type %j is %s", (given, type) => {
  expect(eventOf(runWith({ eventType: given })).eventType).toBe(type);
});

describe("facets", () => {
  it("are stored, and nothing of them warned of, wherever the specification has them", () => {
    const { event, warnings, unused } = accepted(wholeRunEvent());
    expect([warnings, unused]).toEqual([[], 0]);
    if (event.kind !== "run") throw new Error(event.kind);
    expect(Object.keys(event.run.facets).sort()).toEqual(Object.keys(runFacetSamples).sort());
    expect(Object.keys(event.job.facets).sort()).toEqual(Object.keys(jobFacetSamples).sort());
    const [input] = event.inputs!;
    expect(Object.keys(input!.facets).sort()).toEqual(Object.keys(datasetFacetSamples).sort());
    expect(Object.keys(input!.inputFacets)).toHaveLength(3);
    expect(event.outputs![0]!.outputFacets).toEqual({
      outputStatistics: { rowCount: 10, size: 1_000, fileCount: 2 },
    });
  });

  it("lose what is not used: frames, stack traces, free members", () => {
    const text = JSON.stringify(accepted(wholeRunEvent()).event);
    for (const gone of ["_producer", "_schemaURL", "stackTrace", "catalogProperties", "params"]) {
      expect(text).not.toContain(gone);
    }
  });

  it("that may hold secrets, and others that nothing uses, go without a warning", () => {
    const value = runWith({
      run: {
        runId: "r",
        facets: {
          environmentVariables: facet({ environmentVariables: [{ name: "K", value: "secret" }] }),
          spark_properties: facet({ properties: { a: "secret" } }),
          debug: { a: "secret" },
        },
      },
      job: { namespace: "n", name: "j", facets: { sourceCode: facet({ sourceCode: "secret" }) } },
    });
    const { event, warnings, unused } = accepted(value);
    expect([warnings, unused]).toEqual([[], 4]);
    expect(JSON.stringify(event)).not.toContain("secret");
  });

  it("that are wrong cost nothing but themselves", () => {
    const facets = {
      schema: { fields: [{ name: "a" }, { type: "int" }, "b", { name: "c", type: {}, fields: 5 }] },
      documentation: "text",
      tags: { tags: "x" },
      version: {},
      ownership: { owners: [{ name: "ada" }, { type: "x" }] },
      storage: null,
      dataQualityMetrics: { rowCount: "many", bytes: 1.5, columnMetrics: { a: { min: "x" } } },
    };
    const { event } = accepted(outputWith({ facets }));
    if (event.kind !== "run") throw new Error(event.kind);
    expect(event.outputs![0]!.facets).toEqual({
      schema: { fields: [{ name: "a" }, { name: "c" }] },
      tags: {},
      ownership: { owners: [{ name: "ada" }] },
      dataQualityMetrics: { columnMetrics: { a: {} } },
    });
    const at = "outputs[0].facets";
    expect(warningsOf(outputWith({ facets }))).toEqual([
      `${at}.schema.fields[1].name: missing`,
      `${at}.schema.fields[2]: invalid`,
      `${at}.schema.fields[3].type: invalid`,
      `${at}.schema.fields[3].fields: invalid`,
      `${at}.documentation: invalid`,
      `${at}.tags.tags: invalid`,
      `${at}.version.datasetVersion: missing`,
      `${at}.ownership.owners[1].name: missing`,
      `${at}.dataQualityMetrics.rowCount: invalid`,
      `${at}.dataQualityMetrics.bytes: invalid`,
      `${at}.dataQualityMetrics.columnMetrics.a.min: invalid`,
    ]);
  });

  it("that were taken back are tombstones", () => {
    const event = eventOf(
      outputWith({ facets: { schema: facet({ _deleted: true, fields: [] }) } }),
    );
    expect(event.outputs[0].facets).toEqual({ schema: { _deleted: true } });
  });

  it.each(["text", [], 5])("in %j are none", (facets) => {
    expect(warningsOf(runWith({ run: { runId: "r", facets } }))).toEqual(["run.facets: invalid"]);
  });

  it("take numbers and truth values for text", () => {
    const event = eventOf(outputWith({ facets: { version: { datasetVersion: 7 } } }));
    expect(event.outputs[0].facets.version).toEqual({ datasetVersion: "7" });
  });
});

describe("inputs and outputs", () => {
  it("without namespace or name are left out", () => {
    const value = runWith({ inputs: [{ name: "a" }, null, { namespace: "n", name: "b" }, "c"] });
    expect(eventOf(value).inputs.map(({ name }: { name: string }) => name)).toEqual(["b"]);
    expect(warningsOf(value)).toEqual([
      "inputs[0].namespace: missing",
      "inputs[1]: invalid",
      "inputs[3]: invalid",
    ]);
  });

  it("that are absent are something else than empty ones", () => {
    const event = eventOf(runWith({ inputs: [], outputs: undefined }));
    expect([event.inputs, "outputs" in event]).toEqual([[], false]);
    expect("inputs" in eventOf(runWith({ inputs: "none" }))).toBe(false);
  });
});

it("characters that cannot be stored are replaced in texts", () => {
  const description = "a\0b\ud800c";
  const event = eventOf(outputWith({ facets: { documentation: { description } } }));
  expect(event.outputs[0].facets.documentation.description).toBe("a\ufffdb\ufffdc");
});

it("names such as __proto__ and constructor are ordinary names", () => {
  const fields = JSON.parse(
    '{"__proto__":{"inputFields":[]},"constructor":{"inputFields":[]},"x":{"inputFields":[]}}',
  );
  const event = eventOf(outputWith({ facets: { columnLineage: { fields }, constructor: {} } }));
  const { facets } = event.outputs[0];
  expect(Object.keys(facets)).toEqual(["columnLineage"]);
  expect(Object.keys(facets.columnLineage.fields)).toEqual(["__proto__", "constructor", "x"]);
  expect(Object.getPrototypeOf(facets.columnLineage.fields)).toBe(Object.prototype);
});

it.each([wholeRunEvent(), smallRunEvent(), jobEvent(), datasetEvent()])(
  "what was accepted is accepted as the same, and fits the schema",
  (value) => {
    const { event } = accepted(value);
    const reaccepted = accepted(JSON.parse(JSON.stringify(jsonOf(event))));
    expect(reaccepted).toEqual({ event, warnings: [], dropped: new Map(), unused: 0 });
    expect(OpenLineageEvent.parse(event)).toEqual(event);
  },
);
