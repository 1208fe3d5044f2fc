import { describe, expect, it } from "vitest";
import { entityTypeNames, entityTypes } from "#contract/entities.ts";
import { AppError } from "#kit/errors.ts";
import { DatasetStatisticsList, IngestedMetricSetList } from "./others.ts";
import { checkDataEntityList, parseDataEntityList, refusalDetails } from "./batch.ts";
import { parseBody, parseWith } from "./parse.ts";
import { faults, field, item, list } from "#test/support/seed/batches.ts";
import * as schema from "./schema.ts";

const run = { start_time: "2024-01-01T00:00:00Z", status: "SUCCESS" };
const sections: Record<schema.SectionName, object> = {
  dataset: { field_list: [] },
  data_transformer: { inputs: [], outputs: [] },
  data_transformer_run: { transformer_catrn: "t", ...run },
  data_quality_test: { suite_name: "s", dataset_list: [], expectation: {} },
  data_quality_test_run: { data_quality_test_catrn: "t", ...run },
  data_consumer: {},
  data_input: {},
  data_entity_group: { entities_list: [] },
  data_relationship: {
    relationship_type: "GRAPH",
    source_dataset_catrn: "a",
    target_dataset_catrn: "b",
    details: { relationship_entity_name: "GraphRelationship" },
  },
};

/** The path that the error must name, and the payload that is wrong there. */
const wrong: [string, object][] = [
  ["items[0].type", { type: "UNKNOWN" }],
  ["items[0].type", { type: "LOOKUP_TABLE" }],
  ["items[0].catrn", { catrn: "" }],
  ["items[0].catrn", { catrn: "ü".repeat(501) }],
  ["items[0].created_at", { created_at: "2024-01-01T00:00:00" }],
  ["items[0].created_at", { created_at: "2024-02-30T00:00:00Z" }],
  ["items[0].created_at", { created_at: "0000-01-01T00:00:00Z" }],
  ["items[0].tags[0].name", { tags: [{}] }],
  ["items[0].tags[0].name", { tags: [{ name: "x".repeat(2_001) }] }],
  ["items[0].metadata[0].metadata", { metadata: [{ schema_url: "u", metadata: [] }] }],
  ["items[0].dataset.field_list", { dataset: {} }],
  ["items[0].dataset.rows_number", { dataset: { field_list: [], rows_number: 1.5 } }],
  ["items[0].dataset.field_list[0].type.type", {
    dataset: { field_list: [field({ type: { type: "TEXT", is_nullable: true } })] },
  }],
  ["items[0].dataset.field_list[1].catrn", { dataset: { field_list: [field(), field()] } }],
  ["items[0].dataset.field_list[0].parent_field_catrn", {
    dataset: { field_list: [field({ parent_field_catrn: "nobody" })] },
  }],
  ["items[0].dataset.field_list[0].reference_catrn", {
    dataset: { field_list: [field({ type: { type: "TYPE_REFERENCE", is_nullable: true } })] },
  }],
  ["items[0].dataset.field_list[0].type.type", {
    dataset: { field_list: [field({ reference_catrn: "f" })] },
  }],
  ["items[0].data_relationship.details.relationship_entity_name", {
    data_relationship: { ...sections.data_relationship, relationship_type: "ERD" },
  }],
  ["items[0].data_relationship.details.target_dataset_field_catrns_list", {
    data_relationship: {
      ...sections.data_relationship,
      relationship_type: "ERD",
      details: {
        relationship_entity_name: "ERDRelationship",
        source_dataset_field_catrns_list: ["a"],
        target_dataset_field_catrns_list: [],
      },
    },
  }],
];

describe("parseDataEntityList", () => {
  it("takes each part with each type that may be posted, and tells those that do not fit", () => {
    for (const type of entityTypeNames) {
      for (const [section, content] of Object.entries(sections)) {
        const { ingestible, classes } = entityTypes[type];
        const posted = list({ catrn: "a", name: "a", type, [section]: content });
        expect(faults(posted).length === 0, `${type} ${section}`).toBe(ingestible);
        if (!ingestible) continue;
        const [read] = parseDataEntityList(posted).items;
        const fits = (classes as readonly string[]).includes(
          schema.classOfSection[section as schema.SectionName],
        );
        expect(schema.fitsType(read!), `${type} ${section}`).toBe(fits);
      }
    }
  });

  it("names the expected parts of an item without any", () => {
    expect(faults(list({ catrn: "a", name: "a", type: "JOB", dataset: null }))).toEqual([
      "items[0]: with type JOB must carry data_transformer or data_quality_test (entity a)",
    ]);
  });

  it("takes no item with the CATRN of a lookup table, which people keep", () => {
    const catrn = "//catalog/lookup_tables/0190a5b0-0000-7000-8000-000000000000";
    expect(faults(list({ catrn, name: "a", type: "TABLE", dataset: sections.dataset }))).toEqual([
      `items[0].catrn: must not be that of a lookup table, which is made in the catalogue (entity ${catrn})`,
    ]);
  });

  it("tells what an item carries that does not fit its type", () => {
    const given = { catrn: "a", name: "a", type: "JOB", dataset: sections.dataset, data_input: {} };
    const [read] = parseDataEntityList(list(given)).items;
    expect(schema.typeMismatchMessage(read!)).toBe(
      "JOB was taken with dataset and data_input, where data_transformer or data_quality_test is " +
        "expected",
    );
  });

  it.each([
    ["JOB_RUN", ["data_transformer_run"], true],
    ["JOB_RUN", ["data_transformer_run", "dataset"], true],
    ["JOB", ["data_quality_test_run"], true],
    ["JOB", ["data_transformer", "data_transformer_run"], false],
    ["JOB_RUN", ["dataset"], false],
  ])("%s with %j is a run: %s", (type, names, expected) => {
    const carried = names.map((name) => [name, sections[name as schema.SectionName]]);
    const given = { catrn: "a", name: "a", type, ...Object.fromEntries(carried) };
    expect(schema.isRun(parseDataEntityList(list(given)).items[0]!)).toBe(expected);
  });

  it("takes explicit nulls for absent values and ignores unknown keys", () => {
    const nulls = { version: null, tags: null, data_input: null, description: null, owner: null };
    const given = item({ ...nulls, surprise: { deep: 1 } });
    const [read] = parseDataEntityList(list(given)).items;
    expect(JSON.parse(JSON.stringify(read))).toEqual(item());
  });

  it("keeps nulls within metadata values", () => {
    const metadata = [{ schema_url: "u", metadata: { a: null, b: [null, { c: null }] } }];
    const [read] = parseDataEntityList(list(item({ metadata, version: null }))).items;
    expect(read!.metadata).toEqual(metadata);
  });

  it.each(wrong)("names %s when it is wrong", (path, more) => {
    expect(faults(list(item(more))).map((fault) => fault.split(":")[0])).toEqual([path]);
  });

  it("writes times in UTC with milliseconds", () => {
    const [read] =
      parseDataEntityList(list(item({ updated_at: "2024-01-31T12:00:00.12345+02:00" })))
        .items;
    expect(read!.updated_at).toBe("2024-01-31T10:00:00.123Z");
  });
});

describe("checkDataEntityList", () => {
  it("refuses only the items that are wrong", () => {
    const batch = checkDataEntityList(list(item(), 7, item({ name: 1 })));
    expect(batch.items.map(({ index }) => index)).toEqual([0]);
    expect(batch.refused).toEqual([
      { index: 1, details: [{ field: "items[1]", message: "must be an object" }] },
      { index: 2, details: [{ field: "items[2].name", message: "must be a string (entity //a)" }] },
    ]);
  });

  it("refuses an item that cannot be stored alone, and with it a batch that has no sound one", () => {
    const nul = item({ name: "a\0" });
    expect(checkDataEntityList(list(nul, item())).refused).toEqual([
      {
        index: 0,
        details: [{
          field: "items[0].name",
          message: "must not hold the character NUL (entity //a)",
        }],
      },
    ]);
    expect(() => checkDataEntityList(list(nul, item({ name: 1 })))).toThrow(AppError);
  });

  it("judges all items, and says of the first hundred what is wrong", () => {
    const wrong = item({ name: 1, dataset: { field_list: Array(20).fill({}) } });
    const { items, refused } = checkDataEntityList(list(...Array(150).fill(wrong), item()));
    expect([items.length, refused.length]).toEqual([1, 150]);
    expect(refused.map(({ details }) => details.length > 0).lastIndexOf(true)).toBe(99);
    const details = refusalDetails(refused);
    expect(details.map(({ field }) => /\d+/.exec(field)![0]))
      .toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
    const few = refusalDetails(refused.slice(0, 30)).map(({ field }) => /\d+/.exec(field)![0]);
    expect([few.length, new Set(few).size]).toEqual([100, 30]);
  });

  it("throws when there is nothing to read", () => {
    for (const body of [list(), "{}", '{"data_source_catrn":"s"}', "x"]) {
      expect(() => checkDataEntityList(body), body).toThrow(AppError);
    }
  });
});

describe("parseWith", () => {
  it("names fields below the path it is given", () => {
    expect(() => parseWith(schema.DataEntity, { ...item(), name: 3 }, "items[4]")).toThrow(
      "items[4].name must be a string",
    );
  });
});

describe("a body that was cut or damaged on its way", () => {
  const key = '"\\u0064ata_entity_group":{"entities_list":["x"]}';
  const whole = JSON.stringify({ items: [item()], "data_source_catrn": "//s/a\nü" })
    .replace('"items"', '"\\u0069tems"')
    .replace('"catrn"', `${key},"catrn"`);
  const sound = new TextEncoder().encode(whole);

  it("is refused as the client's fault, wherever it ends", () => {
    for (let length = 0; length < sound.length; length++) {
      expect(faults(sound.subarray(0, length)), whole.slice(0, length)).not.toEqual([]);
    }
  });

  it("is refused as the client's fault, whichever of its bytes is a backslash or a quote", () => {
    for (const byte of [0x5c, 0x22, 0x0a]) {
      for (let at = 0; at < sound.length; at++) {
        const damaged = Uint8Array.from(sound);
        damaged[at] = byte;
        expect(() => faults(damaged), `${String.fromCharCode(byte)} at ${at}`).not.toThrow();
      }
    }
  });
});

describe("other bodies", () => {
  it("statistics keep strange field names and quote them in paths", () => {
    const stats = { complex_stats: { nulls_count: 1, unique_count: 2 } };
    const body = (fields: object) => JSON.stringify({ items: [{ dataset_catrn: "d", fields }] });
    const read = parseBody(DatasetStatisticsList, body({ "a/b c": stats, constructor: stats }));
    expect(Object.keys(read.items[0]!.fields)).toEqual(["a/b c", "constructor"]);
    const bad = () => parseBody(DatasetStatisticsList, body({ "a/b": { complex_stats: {} } }));
    expect(bad).toThrow('items[0].fields["a/b"].complex_stats.nulls_count is required');
  });

  it("metric points take seconds or date-times", () => {
    const points = [{ timestamp: 1_700_000_000 }, { timestamp: "2024-01-01T01:00:00+01:00" }];
    const metrics = [{ metric_points: points }];
    const metric_families = [{ name: "n", type: "GAUGE", unit: "u", metrics }];
    const read = parseBody(
      IngestedMetricSetList,
      JSON.stringify({ items: [{ catrn: "c", metric_families }] }),
    );
    const metricPoints = read.items[0]!.metric_families[0]!.metrics[0]!.metric_points;
    expect(metricPoints.map(({ timestamp }) => timestamp)).toEqual([
      "2023-11-14T22:13:20.000Z",
      "2024-01-01T00:00:00.000Z",
    ]);
  });
});
