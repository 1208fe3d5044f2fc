import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columns, jobOf, ns, pg, run, runIdOf, shownBy, tableOf } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

const { statusOf, edges, runs, fieldsOf, latestFields, alerts } = shownBy(() => h);

describe("a job", () => {
  it("has its edges at START, its run SUCCESS after COMPLETE, an alert after FAIL", async () => {
    const namespace = ns();
    const io = {
      inputs: [{ namespace: pg(namespace), name: "shop.public.orders" }],
      outputs: [{
        namespace: pg(namespace),
        name: "shop.public.totals",
        facets: columns("a", "b"),
      }],
    };
    await h.take(run(namespace, "START", io));
    const [orders, totals] = [tableOf(namespace, "orders"), tableOf(namespace, "totals")];
    expect(await edges(jobOf(namespace))).toEqual([
      { parent: orders, child: jobOf(namespace) },
      { parent: jobOf(namespace), child: totals },
    ]);
    expect(await runs(jobOf(namespace))).toEqual([{ status: "RUNNING" }]);
    await h.take(run(namespace, "COMPLETE", io));
    expect(await runs(jobOf(namespace))).toEqual([{ status: "SUCCESS" }]);
    expect(await fieldsOf(totals)).toEqual(["a", "b"]);
    const facets = { errorMessage: { message: "no space left", programmingLanguage: "x" } };
    await h.take(run(namespace, "FAIL", { n: 2, facets }));
    expect(await runs(jobOf(namespace))).toEqual([{ status: "SUCCESS" }, { status: "FAILED" }]);
    expect(await alerts(jobOf(namespace))).toEqual([{ open: true }]);
    h.clock.at += 1_000;
    await h.take(run(namespace, "COMPLETE", { n: 3 }));
    expect(await alerts(jobOf(namespace))).toEqual([{ open: false }]);
  });

  it("is not posted again when nothing of it changed, but once in a while to be seen", async () => {
    const namespace = ns();
    const io = { inputs: [{ namespace: pg(namespace), name: "shop.public.orders" }] };
    await h.take(run(namespace, "COMPLETE", io));
    h.clock.at += 1_000;
    const repeated = await h.take(run(namespace, "COMPLETE", { ...io, n: 2 }));
    expect([...repeated.keys()]).toEqual([`${jobOf(namespace)}/runs/${runIdOf(namespace, 2)}`]);
    h.clock.at += 6 * 60_000;
    const later = await h.take(run(namespace, "COMPLETE", { ...io, n: 3 }));
    expect([...later.keys()].sort()).toContain(jobOf(namespace));
  });

  it("that started others is a DAG of them, in the catalogue too", async () => {
    const namespace = ns();
    const parent = { run: { runId: runIdOf(namespace, 9) }, job: { namespace, name: "dag" } };
    await h.take(run(namespace, "START", { name: "dag.one", facets: { parent } }));
    const members = await h.rows<{ catrn: string }>(
      `SELECT m.catrn FROM group_member g JOIN data_entity m ON m.id = g.member_id
         JOIN data_entity e ON e.id = g.group_id WHERE e.catrn = $1`,
      jobOf(namespace, "dag"),
    );
    expect(members).toEqual([{ catrn: jobOf(namespace, "dag.one") }]);
  });

  it("whose run is silent for a day has one that is UNKNOWN, and a late end still counts", async () => {
    const namespace = ns();
    await h.take(run(namespace, "START"));
    h.clock.at += 25 * 3_600_000;
    await h.take();
    expect(await runs(jobOf(namespace))).toEqual([{ status: "UNKNOWN" }]);
    await h.take(run(namespace, "COMPLETE"));
    expect(await runs(jobOf(namespace))).toEqual([{ status: "SUCCESS" }]);
  });

  it("has the column lineage of its newest COMPLETE run", async () => {
    const namespace = ns();
    const input = { namespace: pg(namespace), name: "shop.public.orders" };
    const columnFacet = (field: string) => ({
      fields: { total: { inputFields: [{ ...input, field }] } },
      dataset: [{
        ...input,
        field: "day",
        transformations: [{ type: "INDIRECT", subtype: "FILTER" }],
      }],
    });
    const outputs = (field: string) => [
      {
        namespace: pg(namespace),
        name: "shop.public.totals",
        facets: { columnLineage: columnFacet(field) },
      },
    ];
    await h.take(run(namespace, "COMPLETE", { inputs: [input], outputs: outputs("old") }));
    h.clock.at += 1_000;
    const items = await h.take(
      run(namespace, "COMPLETE", { inputs: [input], outputs: outputs("net"), n: 2 }),
    );
    const [orders, totals] = [tableOf(namespace, "orders"), tableOf(namespace, "totals")];
    expect(items.get(jobOf(namespace))?.data_transformer?.column_lineage).toEqual([
      {
        target: { dataset_catrn: totals },
        sources: [{ dataset_catrn: orders, field: "day", type: "INDIRECT", subtype: "FILTER" }],
      },
      {
        target: { dataset_catrn: totals, field: "total" },
        sources: [{ dataset_catrn: orders, field: "net", type: "DIRECT" }],
      },
    ]);
  });

  it("tests datasets, with a warning that is no failure", async () => {
    const namespace = ns();
    const assertions = [
      { assertion: "not_null", success: true, column: "id" },
      { assertion: "unique", success: false, column: "id", severity: "warn" },
      { assertion: "accepted", success: false },
    ];
    const input = { namespace: pg(namespace), name: "shop.public.orders" };
    const inputs = [{ ...input, inputFacets: { dataQualityAssertions: { assertions } } }];
    const items = await h.take(
      run(namespace, "COMPLETE", { inputs, job: { jobType: { jobType: "TEST" } } }),
    );
    const results = [...items.values()].flatMap((item) => item.data_quality_test_run?.status ?? []);
    expect(results.sort()).toEqual(["FAILED", "SUCCESS", "UNKNOWN"]);
    expect(await runs(jobOf(namespace))).toEqual([]);
  });
});

describe("beside collectors", () => {
  const table = (catrn: string, ...fields: string[]) => ({
    catrn,
    name: "orders",
    type: "TABLE",
    dataset: {
      field_list: fields.map((name) => ({
        catrn: `${catrn}/columns/${name}`,
        name,
        type: { type: "TYPE_STRING", is_nullable: true },
      })),
    },
  });

  it("what a collector told of stays, whoever comes first", async () => {
    for (const first of ["collector", "openlineage"]) {
      const namespace = ns();
      const catrn = tableOf(namespace, "orders");
      const source = `//postgresql/host/db${namespace}`;
      const event = run(namespace, "COMPLETE", {
        outputs: [{ namespace: pg(namespace), name: "shop.public.orders", facets: columns("x") }],
      });
      if (first === "openlineage") await h.take(event);
      await h.collect(source, table(catrn, "id", "total"));
      h.clock.at += 10 * 60_000;
      await h.take(event);
      expect([first, (await statusOf(catrn))[0]]).toEqual([first, {
        status: "true",
        source,
        hollow: false,
      }]);
      expect(await latestFields(catrn)).toEqual(["id", "total"]);
      expect(await edges(jobOf(namespace))).toHaveLength(1);
    }
  });

  it("a collector that comes later under another spelling takes over, and ours goes", async () => {
    const namespace = ns();
    const event = run(namespace, "COMPLETE", {
      outputs: [{ namespace: pg(namespace), name: "shop.public.Orders" }],
    });
    await h.take(event);
    const theirs = tableOf(namespace, "orders");
    await h.collect(`//postgresql/host/db${namespace}`, table(theirs, "id"));
    await h.rows("UPDATE ol_dataset SET dirty = 1 WHERE key = $1", tableOf(namespace, "Orders"));
    h.clock.at += 61_000;
    await h.take();
    expect(await edges(jobOf(namespace))).toEqual([{ parent: jobOf(namespace), child: theirs }]);
    await h.take();
    expect((await statusOf(tableOf(namespace, "Orders")))[0]).toMatchObject({ status: "false" });
    expect((await statusOf(theirs))[0]).toMatchObject({ status: "true" });
  });
});

describe("a dataset", () => {
  it("that was dropped is DELETED, and comes back when it is written again", async () => {
    const namespace = ns();
    const catrn = tableOf(namespace, "orders");
    const output = { namespace: pg(namespace), name: "shop.public.orders" };
    await h.take(run(namespace, "COMPLETE", { outputs: [output] }));
    h.clock.at += 1_000;
    const drop = { lifecycleStateChange: { lifecycleStateChange: "DROP" } };
    await h.take({ dataset: { ...output, facets: drop } });
    await h.take();
    expect((await statusOf(catrn))[0]).toMatchObject({ status: "false" });
    h.clock.at += 1_000;
    await h.take(run(namespace, "COMPLETE", { outputs: [output], n: 2 }));
    expect((await statusOf(catrn))[0]).toMatchObject({ status: "true" });
  });

  it("with another name that comes late is one, and what stood for the other goes", async () => {
    const namespace = ns();
    const location = { namespace: `s3://bucket-${namespace}`, name: "warehouse/orders" };
    const table = { namespace: pg(namespace), name: "shop.public.orders" };
    await h.take(run(namespace, "COMPLETE", { outputs: [location] }));
    await h.take(run(namespace, "COMPLETE", { name: "read", inputs: [table], n: 2 }));
    h.clock.at += 1_000;
    const symlinks = { identifiers: [{ ...table, type: "TABLE" }] };
    await h.take(run(namespace, "COMPLETE", {
      outputs: [{ ...location, facets: { symlinks } }],
      n: 3,
    }));
    await h.take();
    const catrn = tableOf(namespace, "orders");
    expect(await edges(jobOf(namespace))).toEqual([{ parent: jobOf(namespace), child: catrn }]);
    expect(await edges(jobOf(namespace, "read"))).toEqual([
      { parent: catrn, child: jobOf(namespace, "read") },
    ]);
    const gone = `//s3/cloud/aws/buckets/bucket-${namespace}/keys/warehouse\\\\orders`;
    expect((await statusOf(gone))[0]).toMatchObject({ status: "false" });
  });
});
