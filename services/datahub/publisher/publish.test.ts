import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lowPriorityHeaders } from "#contract/ingestion/frame.ts";
import { type Harness, harness } from "../testing/harness.ts";
import { aspect, field, table, tableAspects } from "../testing/proposals.ts";

let h: Harness;
beforeAll(async () => void (h = await harness({ hosts: "postgres/eu=db.eu.example" })));
afterAll(() => h.drop());

const at = (host: string, database: string, name: string) =>
  `//postgresql/host/${host}/databases/${database}/schemas/public/tables/${name}`;
const live = async (catrn: string) =>
  (await h.rows<{ name: string }>(
    `SELECT s.catrn AS name FROM data_entity e JOIN data_source s ON s.id = e.data_source_id
      WHERE e.catrn = $1 AND NOT e.hollow AND is_live(e.status)`,
    catrn,
  )).map(({ name }) => name);
const edges = async (establisher: string) =>
  await h.rows(
    `SELECT p.catrn AS parent, c.catrn AS child FROM lineage_edge l
       JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
       JOIN data_entity e ON e.id = l.establisher_id WHERE e.catrn = $1 ORDER BY 1, 2`,
    establisher,
  );
const source = (platform: string) => [`//datahub/platforms/${platform}`];
const item = (catrn: string) => ({ catrn, name: "t", type: "TABLE", dataset: { field_list: [] } });

describe("a dataset", () => {
  it("has its columns, and lineage that equals its upstreamLineage", async () => {
    const [orders, totals] = [table("a.public.orders"), table("a.public.totals")];
    const lineage = {
      upstreams: [{ dataset: orders, type: "TRANSFORMED" }],
      fineGrainedLineages: [{
        upstreamType: "FIELD_SET",
        upstreams: [field(orders, "net"), field(orders, "tax")],
        downstreamType: "FIELD",
        downstreams: [field(totals, "total")],
        transformOperation: "SUM",
      }],
    };
    const items = await h.take(
      ...tableAspects(orders, ["net", "tax"]),
      ...tableAspects(totals, ["total"]),
      aspect(totals, "upstreamLineage", lineage),
    );
    const [from, to] = [at("unknown", "a", "orders"), at("unknown", "a", "totals")];
    expect([...items.keys()].sort()).toEqual([from, to]);
    expect(await edges(to)).toEqual([{ parent: from, child: to }]);
    expect(items.get(to)!.data_transformer!.column_lineage).toEqual([{
      target: { dataset_catrn: to, field: "total" },
      sources: ["net", "tax"].map((name) => (
        { dataset_catrn: from, field: name, type: "DIRECT", subtype: "SUM" }
      )),
    }]);
    expect(await live(to)).toEqual(source("postgres"));
  });

  it("is posted once, and not again when it is reported again", async () => {
    const urn = table("b.public.t");
    expect((await h.take(...tableAspects(urn, ["x"]))).size).toBe(1);
    h.clock.at += 1_000;
    expect((await h.take(...tableAspects(urn, ["x"]))).size).toBe(0);
    h.clock.at += 7 * 3_600_000;
    expect((await h.take(...tableAspects(urn, ["x"]))).size).toBe(1);
  });

  it("is deleted when its status says that it was removed, and comes back", async () => {
    const urn = table("c.public.t");
    const catrn = at("unknown", "c", "t");
    await h.take(...tableAspects(urn, ["x"]));
    expect(await live(catrn)).toEqual(source("postgres"));
    h.clock.at += 1_000;
    await h.take(aspect(urn, "status", { removed: true }));
    expect(await live(catrn)).toEqual([]);
    h.clock.at += 1_000;
    await h.take(aspect(urn, "status", { removed: false }));
    expect(await live(catrn)).toEqual(source("postgres"));
  });

  it("is deleted with all of its aspects by a proposal that deletes its key", async () => {
    const urn = table("d.public.t");
    await h.take(...tableAspects(urn, ["x"]));
    h.clock.at += 1_000;
    await h.take({
      entityUrn: urn,
      entityType: "dataset",
      changeType: "DELETE",
      aspectName: "datasetKey",
    });
    expect(await live(at("unknown", "d", "t"))).toEqual([]);
  });

  it("stands under the host that the configuration names for its platform instance", async () => {
    const urn = table("eu.e.public.t");
    const instance = "urn:li:dataPlatformInstance:(urn:li:dataPlatform:postgres,eu)";
    const platform = { platform: "urn:li:dataPlatform:postgres", instance };
    const items = await h.take(
      ...tableAspects(urn, ["x"]),
      aspect(urn, "dataPlatformInstance", platform),
    );
    expect([...items.keys()]).toEqual([at("db.eu.example", "e", "t")]);
  });

  it("shows names of tags, terms, owners and domains, and changes when these do", async () => {
    const urn = table("f.public.t");
    const user = "urn:li:corpuser:ada";
    const marks = [
      ...tableAspects(urn, ["x"]),
      aspect(urn, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }),
      aspect(urn, "glossaryTerms", { terms: [{ urn: "urn:li:glossaryTerm:Sales.Net" }] }),
      aspect(urn, "ownership", { owners: [{ owner: user, type: "TECHNICAL_OWNER" }] }),
      aspect(urn, "domains", { domains: ["urn:li:domain:1"] }),
      aspect(user, "corpUserInfo", { displayName: "Ada L", active: true }),
      aspect("urn:li:domain:1", "domainProperties", { name: "Sales" }),
    ];
    const catrn = at("unknown", "f", "t");
    const shown = (await h.take(...marks)).get(catrn)!;
    expect(shown.tags).toEqual([{ name: "pii" }]);
    expect(shown.owners).toEqual([{ name: "Ada L", title: "Technical owner" }]);
    expect(shown.metadata![0]!.metadata).toMatchObject({
      domain: "Sales",
      glossary_terms: ["Net"],
    });
    h.clock.at += 1_000;
    const after = await h.take(aspect("urn:li:tag:pii", "tagProperties", { name: "Personal" }));
    expect(after.get(catrn)!.tags).toEqual([{ name: "Personal" }]);
  });
});

/** For which answers of the catalogue about names are stored, and a little more. */
const minute = 61_000;

describe("one entity", () => {
  it("of a dataset that a connection reads on some host: what it reports stays", async () => {
    const catrn = at("db.example", "g", "t");
    h.clock.at += minute;
    await h.collect("//postgresql/host/db.example/databases/g", [item(catrn)]);
    const urn = table("g.public.t");
    const items = await h.take(...tableAspects(urn, ["x"]));
    expect([...items.keys()]).toEqual([]);
    expect(await live(catrn)).toEqual(["//postgresql/host/db.example/databases/g"]);
  });

  it("whose lineage is added as a job, where its collector reports none", async () => {
    const catrn = at("db.example", "h", "totals");
    h.clock.at += minute;
    await h.collect("//postgresql/host/db.example/databases/h", [item(catrn)]);
    const [from, to] = [table("h.public.orders"), table("h.public.totals")];
    await h.take(aspect(to, "upstreamLineage", { upstreams: [{ dataset: from, type: "COPY" }] }));
    const job = "//datahub/platforms/postgres/lineage/PROD/h.public.totals";
    expect(await edges(job)).toEqual([
      { parent: at("unknown", "h", "orders"), child: job },
      { parent: job, child: catrn },
    ].sort((a, b) => a.parent < b.parent ? -1 : 1));
  });

  it("of a dataset that a connection reads later: it moves there within minutes", async () => {
    const urn = table("i.public.t");
    await h.take(...tableAspects(urn, ["x"]));
    const catrn = at("db.example", "i", "t");
    await h.collect("//postgresql/host/db.example/databases/i", [item(catrn)]);
    h.clock.at += 6 * 60_000;
    await h.take(aspect(urn, "globalTags", { tags: [] }));
    expect(await live(at("unknown", "i", "t"))).toEqual([]);
    expect(await live(catrn)).toEqual(["//postgresql/host/db.example/databases/i"]);
  });

  it("of a dataset that a connection reads later under the same name: its lineage stays, as a job", async () => {
    const [orders, totals] = [table("k.public.orders"), table("k.public.totals")];
    await h.take(
      ...tableAspects(totals, ["x"]),
      aspect(totals, "upstreamLineage", { upstreams: [{ dataset: orders, type: "COPY" }] }),
    );
    const [from, to] = [at("unknown", "k", "orders"), at("unknown", "k", "totals")];
    expect(await edges(to)).toEqual([{ parent: from, child: to }]);
    h.clock.at += 1_000;
    await h.collect("//postgresql/host/unknown/databases/k", [item(to)]);
    expect(await edges(to)).toEqual([]);
    const job = "//datahub/platforms/postgres/lineage/PROD/k.public.totals";
    expect([...(await h.publish()).keys()]).toEqual([job]);
    expect(await edges(job)).toEqual([
      { parent: job, child: to },
      { parent: from, child: job },
    ]);
    expect(await live(to)).toEqual(["//postgresql/host/unknown/databases/k"]);
  });

  it("of a dataset that an OpenLineage event named first: DataHub, which knows more, takes over", async () => {
    const catrn = at("db.example", "j", "t");
    const events = "//openlineage/namespaces/jobs";
    await h.collect(events, [item(catrn)], lowPriorityHeaders(h.clock.at - 1_000));
    expect(await live(catrn)).toEqual([events]);
    h.clock.at += minute;
    const items = await h.take(...tableAspects(table("j.public.t"), ["x"]));
    expect([...items.keys()]).toEqual([catrn]);
    expect(await live(catrn)).toEqual(source("postgres"));
  });
});
