import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Harness, harness } from "../testing/harness.ts";
import { aspect, field, patch, table, tableAspects } from "../testing/proposals.ts";

let h: Harness;
beforeAll(async () => void (h = await harness({ hosts: "postgres=db" })));
afterAll(() => h.drop());
beforeEach(() => void (h.clock.at += 61_000));

const model = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:dbt,${name},PROD)`;
const at = (name: string) => {
  const [database, schema, one] = name.split(".");
  return `//postgresql/host/db/databases/${database}/schemas/${schema}/tables/${one}`;
};
const ofModel = (name: string) => `//datahub/platforms/dbt/datasets/${name}`;
const live = async (prefix: string) =>
  (await h.rows<{ catrn: string }>(
    `SELECT catrn FROM data_entity WHERE strpos(catrn, $1) > 0 AND NOT hollow AND is_live(status) ORDER BY 1`,
    prefix,
  )).map(({ catrn }) => catrn);

/** What the source of dbt sends of a model that is built as a table, from these tables. */
function modelAspects(name: string, columns: string[], upstreams: string[] = []) {
  return [
    ...tableAspects(model(name), columns),
    aspect(model(name), "datasetProperties", {
      name: name.split(".").at(-1),
      description: "From dbt",
      customProperties: { materialization: "table" },
    }),
    aspect(model(name), "globalTags", { tags: [{ tag: "urn:li:tag:dbt:daily" }] }),
    aspect(model(name), "upstreamLineage", {
      upstreams: upstreams.map((dataset) => ({ dataset, type: "TRANSFORMED" })),
      fineGrainedLineages: upstreams.map((dataset) => ({
        upstreams: [field(dataset, "id")],
        downstreams: [field(model(name), "id")],
      })),
    }),
    copyOf(name),
  ];
}

/** The table is a copy of its model, column by column. */
const copyOf = (name: string) =>
  patch(table(name), "upstreamLineage", [
    [`+/upstreams/${model(name)}`, { dataset: model(name), type: "COPY" }],
    [
      `+/fineGrainedLineages/NONE/${field(table(name), "id")}/NONE/${field(model(name), "id")}`,
      { confidenceScore: 1 },
    ],
  ]);

describe("a model of dbt and the table that it builds are one dataset", () => {
  it("with the fields of the table, and what only dbt says: lineage, tags, a description", async () => {
    const name = "a.public.orders";
    const described = aspect(table(name), "datasetProperties", { name: "orders" });
    const items = await h.take(
      ...tableAspects(table(name), ["id", "total"]),
      described,
      ...modelAspects(name, ["id"], [table("a.public.raw")]),
    );
    const item = items.get(at(name))!;
    expect(item.dataset!.field_list.map((one) => one.name)).toEqual(["id", "total"]);
    expect(item).toMatchObject({ description: "From dbt", tags: [{ name: "dbt:daily" }] });
    expect(item.data_transformer).toEqual({
      inputs: [at("a.public.raw")],
      outputs: [],
      column_lineage: [{
        target: { dataset_catrn: at(name), field: "id" },
        sources: [{ dataset_catrn: at("a.public.raw"), field: "id", type: "DIRECT" }],
      }],
    });
    expect(await live("dbt/datasets/a.")).toEqual([]);
  });

  it("whatever comes first, dbt or the warehouse", async () => {
    const [name, reader] = ["b.public.orders", "b.public.totals"];
    const ofTable = tableAspects(table(name), ["id", "total"]);
    const readsModel = modelAspects(reader, ["id"], [model(name)]);
    const [, ...unbuilt] = modelAspects(name, ["id"]).reverse();
    await h.take(...unbuilt, ...readsModel);
    expect(await live("dbt/datasets/b.")).toEqual([ofModel(name)]);
    h.clock.at += 1_000;
    await h.take(copyOf(name));
    h.clock.at += 1_000;
    await h.take(...ofTable);
    expect(await live("dbt/datasets/b.")).toEqual([]);
    expect(await live("databases/b/")).toEqual([at(name), at(reader)]);
    const parents = await h.rows(
      `SELECT p.catrn FROM lineage_edge l JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
        WHERE c.catrn = $1`,
      at(reader),
    );
    expect(parents).toEqual([{ catrn: at(name) }]);
  });

  it("until the table is removed: then the model stands by itself", async () => {
    const name = "c.public.orders";
    await h.take(...tableAspects(table(name), ["id"]), ...modelAspects(name, ["id"]));
    expect(await live("c.public")).toEqual([]);
    h.clock.at += 1_000;
    await h.take(aspect(table(name), "status", { removed: true }));
    expect(await live("databases/c/")).toEqual([]);
    expect(await live("dbt/datasets/c.")).toEqual([ofModel(name)]);
  });

  it("also where their siblings say so", async () => {
    const name = "d.public.orders";
    const siblings = aspect(model(name), "siblings", { siblings: [table(name)], primary: true });
    const items = await h.take(...modelAspects(name, ["id"]).slice(0, -1), siblings);
    expect([...items.keys()]).toEqual([at(name)]);
    h.clock.at += 1_000;
    const again = await h.take(
      aspect(model(name), "editableDatasetProperties", { description: "Written by hand" }),
    );
    expect(again.get(at(name))).toMatchObject({ description: "Written by hand" });
  });

  it("which a connection reads: it stays, with the lineage of dbt", async () => {
    const name = "e.public.orders";
    const source = "//postgresql/host/db/databases/e";
    const item = { catrn: at(name), name: "orders", type: "TABLE", dataset: { field_list: [] } };
    await h.collect(source, [item]);
    const items = await h.take(...modelAspects(name, ["id"], [table("e.public.raw")]));
    expect(items.get("//datahub/platforms/postgres/lineage/PROD/e.public.orders")).toMatchObject({
      data_transformer: { inputs: [at("e.public.raw")], outputs: [at(name)] },
    });
    expect(await live("e.public.orders")).toEqual([
      "//datahub/platforms/postgres/lineage/PROD/e.public.orders",
    ]);
    expect(await live(at(name))).toEqual([at(name)]);
  });
});

it("runs that dbt reports of its models are runs of their tables", async () => {
  const name = "f.public.orders";
  const run = "urn:li:dataProcessInstance:1";
  await h.take(
    ...modelAspects(name, ["id"]),
    aspect(run, "dataProcessInstanceProperties", { name: "build", created: { time: 1 } }),
    aspect(run, "dataProcessInstanceRelationships", { upstreamInstances: [] }),
    aspect(run, "dataProcessInstanceInput", { inputs: [table("f.public.raw")] }),
    aspect(run, "dataProcessInstanceOutput", { outputs: [model(name)] }),
    aspect(run, "dataProcessInstanceRunEvent", { timestampMillis: 1_000, status: "STARTED" }),
    aspect(run, "dataProcessInstanceRunEvent", {
      timestampMillis: 2_000,
      status: "COMPLETE",
      result: { type: "FAILURE" },
    }),
  );
  expect(
    await h.rows(
      `SELECT e.catrn, r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id WHERE starts_with(e.catrn, $1)`,
      at(name),
    ),
  ).toEqual([{ catrn: at(name), status: "FAILED" }]);
});

it("the statement of the query that lineage was read from is shown with it", async () => {
  const [from, to] = [table("g.public.a"), table("g.public.b")];
  const query = "urn:li:query:q1";
  const statement = { value: "INSERT INTO b SELECT * FROM a", language: "SQL" };
  const items = await h.take(
    ...tableAspects(to, ["id"]),
    aspect(to, "upstreamLineage", { upstreams: [{ dataset: from, type: "TRANSFORMED", query }] }),
    aspect(query, "queryProperties", { statement, source: "SYSTEM" }),
  );
  expect(items.get(at("g.public.b"))!.data_transformer).toMatchObject({
    inputs: [at("g.public.a")],
    sql: statement.value,
  });
});
