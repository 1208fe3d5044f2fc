import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, harness, type Item, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const group = (catrn: string, members: string[], parent?: string): Item => ({
  catrn,
  name: catrn,
  type: "DAG",
  data_entity_group: { entities_list: members, group_catrn: parent },
});
const members = async (catrn: string) =>
  (await at.rows<{ m: string }>(
    `SELECT m.catrn || ' ' || x.origin AS m FROM group_member x
       JOIN data_entity g ON g.id = x.group_id JOIN data_entity m ON m.id = x.member_id
      WHERE g.catrn = $1 ORDER BY 1`,
    catrn,
  )).map((row) => row.m);

describe("writeGroups", () => {
  it("lists members exactly as posted; unknown ones become hollow", async () => {
    await at.post([table("//g/a"), group("//g/1", ["//g/a", "//g/unknown", "//g/a"])]);
    expect(await members("//g/1")).toEqual(["//g/a LIST", "//g/unknown LIST"]);
    expect(await at.entity("//g/unknown")).toMatchObject({ hollow: true });
    await at.post([group("//g/1", ["//g/b"])]);
    expect(await members("//g/1")).toEqual(["//g/b LIST"]);
    await at.post([group("//g/1", [])]);
    expect(await members("//g/1")).toEqual([]);
  });

  it("leaves members that were added by hand", async () => {
    await at.post([table("//g/hand"), group("//g/2", ["//g/hand"])]);
    await at.rows(
      `INSERT INTO group_member SELECT g.id, m.id, 'MANUAL' FROM data_entity g, data_entity m
        WHERE g.catrn = '//g/2' AND m.catrn = '//g/hand'`,
    );
    await at.post([group("//g/2", [])]);
    expect(await members("//g/2")).toEqual(["//g/hand MANUAL"]);
  });

  it("moves a group from one parent group to another", async () => {
    await at.post([group("//g/child", [], "//g/p1")]);
    expect(await members("//g/p1")).toEqual(["//g/child PARENT"]);
    await at.post([group("//g/child", [], "//g/p2")]);
    expect(await members("//g/p1")).toEqual([]);
    expect(await members("//g/p2")).toEqual(["//g/child PARENT"]);
  });

  it("takes a group that is named like its data source", async () => {
    await at.post([group("//warehouse", ["//g/a"])]);
    expect(await members("//warehouse")).toEqual(["//g/a LIST"]);
  });
});

describe("writeTests", () => {
  const test = (datasets: string[]): Item => ({
    catrn: "//t/test",
    name: "test",
    type: "JOB",
    data_quality_test: {
      suite_name: "suite",
      dataset_list: datasets,
      expectation: { type: "not_null", category: "ASSERTION", column: "id", limit: 5 },
    },
  });
  const covered = async () =>
    (await at.rows<{ catrn: string }>(
      `SELECT d.catrn FROM test_dataset x JOIN data_entity d ON d.id = x.dataset_id
         JOIN data_entity t ON t.id = x.test_id WHERE t.catrn = '//t/test' ORDER BY 1`,
    )).map((row) => row.catrn);

  it("covers exactly the datasets of the payload; unknown ones become hollow", async () => {
    await at.post([table("//t/a"), test(["//t/a", "//t/later"])]);
    expect(await covered()).toEqual(["//t/a", "//t/later"]);
    await at.post([test(["//t/later"])]);
    expect(await covered()).toEqual(["//t/later"]);
  });
});

describe("writeRelationships", () => {
  const erd: Item = {
    catrn: "//r/erd",
    name: "erd",
    type: "ENTITY_RELATIONSHIP",
    data_relationship: {
      relationship_type: "ERD",
      source_dataset_catrn: "//r/a",
      target_dataset_catrn: "//r/b",
      details: {
        relationship_entity_name: "ERDRelationship",
        source_dataset_field_catrns_list: ["//r/a/1", "//r/a/2"],
        target_dataset_field_catrns_list: ["//r/b/1", "//r/b/2"],
        is_identifying: true,
        cardinality: "ONE_TO_ONE_OR_MORE",
      },
    },
  };
  const graph: Item = {
    catrn: "//r/graph",
    name: "graph",
    type: "GRAPH_RELATIONSHIP",
    data_relationship: {
      relationship_type: "GRAPH",
      source_dataset_catrn: "//r/a",
      target_dataset_catrn: "//r/hollow",
      details: {
        relationship_entity_name: "GraphRelationship",
        is_directed: true,
        attributes: { weight: 3 },
      },
    },
  };
  const stored = () =>
    at.rows(
      `SELECT e.catrn, r.kind, s.catrn AS source, t.catrn AS target, is_identifying, cardinality,
              is_directed, r.attributes, (SELECT string_agg(source_catrn || '=' || target_catrn, ' '
                ORDER BY ordinal) FROM relationship_field_pair p WHERE p.relationship_id = r.id) AS pairs
         FROM relationship r JOIN data_entity e ON e.id = r.entity_id
         JOIN data_entity s ON s.id = r.source_id JOIN data_entity t ON t.id = r.target_id ORDER BY 1`,
    );

  it("takes both kinds in one batch and makes hollow ends", async () => {
    await at.post([graph, erd, table("//r/a")]);
    expect(await stored()).toMatchObject([
      {
        catrn: "//r/erd",
        kind: "ERD",
        source: "//r/a",
        target: "//r/b",
        is_identifying: true,
        cardinality: "ONE_TO_ONE_OR_MORE",
        pairs: "//r/a/1=//r/b/1 //r/a/2=//r/b/2",
      },
      {
        catrn: "//r/graph",
        kind: "GRAPH",
        is_directed: true,
        attributes: { weight: 3 },
        pairs: null,
      },
    ]);
    expect(await at.entity("//r/hollow")).toMatchObject({ hollow: true });
  });

  it("replaces a relationship and its field pairs, its id kept", async () => {
    const [before] = await at.rows("SELECT id FROM relationship WHERE kind = 'ERD'");
    const changed = structuredClone(erd) as typeof erd & {
      data_relationship: { details: Record<string, unknown> };
    };
    changed.data_relationship.details.source_dataset_field_catrns_list = ["//r/a/9"];
    changed.data_relationship.details.target_dataset_field_catrns_list = ["//r/b/9"];
    await at.post([changed]);
    expect((await stored())[0]).toMatchObject({ pairs: "//r/a/9=//r/b/9" });
    expect(await at.rows("SELECT id FROM relationship WHERE kind = 'ERD'")).toEqual([before]);
  });
});

describe("writeRuns", () => {
  const run = (status: string, more: Record<string, unknown> = {}): Item => ({
    catrn: "//runs/1",
    name: "run one",
    type: "JOB_RUN",
    data_transformer_run: {
      transformer_catrn: "//runs/task",
      start_time: "2024-01-01T00:00:00Z",
      end_time: null,
      status,
      ...more,
    },
  });
  const stored = () =>
    at.rows(
      `SELECT r.*, e.catrn AS task, e.hollow FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE r.catrn LIKE '//runs/%' ORDER BY r.catrn`,
    );

  it("stores a run of an unknown task, which becomes hollow, and no entity for the run", async () => {
    await at.post([run("RUNNING")], { receivedAt: 10_000 });
    expect(await stored()).toMatchObject([{
      task: "//runs/task",
      hollow: true,
      kind: "TRANSFORMER",
      status: "RUNNING",
      end_time: null,
    }]);
    await expect(at.entity("//runs/1")).rejects.toThrow();
  });

  it("keeps what is told of a run as texts, and forgets what is told no more", async () => {
    const extension = (metadata: Record<string, unknown>) => ({
      ...run("RUNNING"),
      metadata: [{ schema_url: "https://example.com", metadata }],
    });
    const long = "x".repeat(20_000);
    const item = extension({ engine: "spark", tries: 2, list: ["a"], none: null, long });
    await at.post([item], { receivedAt: 11_000 });
    const properties = { engine: "spark", tries: "2", list: '["a"]', long: long.slice(0, 10_000) };
    expect(await stored()).toMatchObject([{ metadata: properties }]);
    await at.post([run("RUNNING")], { receivedAt: 12_000 });
    expect(await stored()).toMatchObject([{ metadata: null }]);
  });

  it("updates a run by its CATRN, and never from an older batch", async () => {
    const ended = run("SUCCESS", { end_time: "2024-01-01T01:00:00Z", status_reason: "done" });
    await at.post([ended], { receivedAt: 20_000 });
    await at.post([run("BROKEN")], { receivedAt: 15_000 });
    expect(await stored()).toMatchObject([{
      status: "SUCCESS",
      status_reason: "done",
      end_time: new Date("2024-01-01T01:00:00Z"),
    }]);
  });

  it("stores runs of tests, also beside their test in one batch", async () => {
    await at.post([{
      catrn: "//runs/2",
      name: "test run",
      type: "JOB_RUN",
      data_quality_test_run: {
        data_quality_test_catrn: "//runs/test",
        start_time: "2024-01-01T00:00:00Z",
        status: "FAILED",
      },
    }, {
      catrn: "//runs/test",
      name: "test",
      type: "JOB",
      data_quality_test: { suite_name: "s", dataset_list: [], expectation: {} },
    }]);
    expect((await stored())[1]).toMatchObject({ kind: "TEST", status: "FAILED", hollow: false });
  });
});
