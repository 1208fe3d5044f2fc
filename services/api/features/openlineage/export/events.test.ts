import { describe, expect, it } from "vitest";
import { acceptEvent, isRefused } from "#contract/openlineage/accept.ts";
import { eventsOf } from "./events.ts";
import { maxExportedNesting, maxExportedSide } from "./limits.ts";
import type { ColumnRow, ExportedEntity, FieldRow, Neighbour } from "./queries.ts";

const at = "2026-03-01T10:00:00.000Z";
const nothing = {
  type: null,
  description: null,
  sql: null,
  url: null,
  fields: [],
  columns: [],
  owners: [],
};
type Today = NonNullable<ExportedEntity["today"]>;

const dataset = (today: Partial<Today>, more: Partial<ExportedEntity> = {}): ExportedEntity => ({
  catrn: "//mysql/host/h/databases/d/tables/t",
  dataset: true,
  parents: [],
  children: [],
  today: { ...nothing, ...today },
  ...more,
});
const job = (today: Partial<Today>, more: Partial<ExportedEntity> = {}): ExportedEntity => ({
  ...dataset(today, more),
  catrn: "//openlineage/namespaces/air/jobs/load",
  dataset: false,
});
// deno-lint-ignore no-explicit-any -- events are looked into
const exported = (entity: ExportedEntity): any[] => eventsOf(entity, at);

describe("events of a dataset", () => {
  it("have its fields, nested as they are, by the types that its system calls them", () => {
    const fields: FieldRow[] = [
      ["//a", null, "a", "TYPE_STRUCT", "row(b int)", "outer"],
      ["//a/b", "//a", "b", "TYPE_INTEGER", null, null],
      ["//c", "//elsewhere", "c", "TYPE_UNKNOWN", null, null],
    ];
    const [event] = exported(dataset({ fields }));
    expect(event.dataset.facets.schema.fields).toEqual([
      {
        name: "a",
        type: "row(b int)",
        description: "outer",
        fields: [{ name: "b", type: "integer" }],
      },
      { name: "c" },
    ]);
  });

  it("end where fields are nested too deeply, or in a circle", () => {
    const deep = Array.from({ length: 10_000 }, (_, n): FieldRow => {
      return [`//${n}`, n === 0 ? null : `//${n - 1}`, "f", "TYPE_STRUCT", null, null];
    });
    const circle: FieldRow[] = [["//x", "//y", "x", "TYPE_STRING", null, null], [
      "//y",
      "//x",
      "y",
      "TYPE_STRING",
      null,
      null,
    ]];
    const [event] = exported(dataset({ fields: [...deep, ...circle] }));
    expect(JSON.stringify(event).match(/"name":"f"/g)).toHaveLength(maxExportedNesting);
  });

  it("tell of what it is made from without a job by one that stands for it", () => {
    const events = exported(dataset(
      { sql: "SELECT 1", description: "A view" },
      { parents: [["//mysql/host/h/databases/d/tables/s", false], ["//a/job", true]] },
    ));
    expect(events[1]).toMatchObject({
      job: {
        namespace: "mysql://h:3306",
        name: "d.t.derivation",
        facets: { sql: { query: "SELECT 1" } },
      },
      inputs: [{ namespace: "mysql://h:3306", name: "d.s" }],
      outputs: [{ namespace: "mysql://h:3306", name: "d.t" }],
    });
    expect(Object.keys(events[1].job.facets)).toEqual(["sql"]);
  });
});

describe("events of a job", () => {
  it("tell of jobs that feed it by the facet lineage", () => {
    const named: Neighbour = ["//openlineage/namespaces/air/jobs/before", false];
    const [event] = exported(job({}, { parents: [["//services/front", true], named] }));
    expect(event.inputs).toEqual([]);
    expect(event.job.facets.lineage.entries).toEqual([
      {
        type: "JOB",
        inputs: [
          { namespace: "tributary", name: "//services/front", type: "JOB" },
          { namespace: "air", name: "before", type: "JOB" },
        ],
      },
    ]);
  });

  it("tell of columns with the output that they are of", () => {
    const [to, other, from] = ["//x/to", "//x/other", "//x/from"];
    const columns: ColumnRow[] = [
      [to, "a", from, "b", 0, "IDENTITY", true, "as it is"],
      [to, null, from, "c", 1, null, null, null],
      [to, "a", from, null, 0, null, null, null],
      [other, "a", from, "b", 0, null, null, null],
    ];
    const [event] = exported(job({ columns }, { children: [[to, false]] }));
    const named = { namespace: "tributary", name: from };
    expect(event.outputs).toHaveLength(1);
    expect(event.outputs[0].facets.columnLineage).toMatchObject({
      fields: {
        a: {
          inputFields: [{
            ...named,
            field: "b",
            transformations: [{
              type: "DIRECT",
              subtype: "IDENTITY",
              masking: true,
              description: "as it is",
            }],
          }],
        },
      },
      dataset: [{ ...named, field: "c", transformations: [{ type: "INDIRECT" }] }],
    });
  });

  it("say when there were more inputs than they hold", () => {
    const parents = Array.from(
      { length: maxExportedSide + 1 },
      (_, n) => [`//t/${n}`, false] as [string, boolean],
    );
    const [event] = exported(job({}, { parents }));
    expect(event.inputs).toHaveLength(maxExportedSide);
    expect(event.job.facets.tributary_cut.cut).toEqual(["inputs"]);
  });

  it("are taken whole", () => {
    const today = {
      type: "JOB" as const,
      description: "Loads",
      sql: "SELECT 1",
      url: "https://git.example/load.py",
      owners: [["Ann", "Steward"], ["Bob", null]] as Today["owners"],
    };
    const [event] = exported(job(today, { parents: [["//services/front", true]] }));
    const result = acceptEvent(event);
    if (isRefused(result)) throw new Error("refused");
    expect([result.dropped.size, result.unused]).toEqual([0, 0]);
    expect(event.job.facets.ownership.owners)
      .toEqual([{ name: "Ann", type: "Steward" }, { name: "Bob" }]);
  });
});
