import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//hive/host/large";
const at = (name: string | number) => `${source}/${name}`;
const table = (name: string | number, more: object = {}) => ({
  catrn: at(name),
  name: String(name),
  type: "TABLE",
  dataset: { field_list: [] },
  ...more,
});
const job = (name: string, inputs: (string | number)[], outputs: (string | number)[]) => ({
  catrn: at(name),
  name,
  type: "JOB",
  data_transformer: { inputs: inputs.map(at), outputs: outputs.map(at) },
});
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

journey("batches of several parts, and wide lineage", (client) => {
  const post = (...items: object[]) =>
    client().post("/ingestion/entities", { data_source_catrn: source, items });

  it("applies a batch of many parts as one", async () => {
    await client().register(source);
    const group = {
      catrn: source,
      name: "large",
      type: "DATABASE_SERVICE",
      data_entity_group: { entities_list: numbers(1_200).map(at) },
    };
    const answer = await post(group, ...numbers(1_200).map((n) => table(n)));
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    const { items } = await client().read("/ingestion/entities/degs/children", { catrn: source });
    expect(items).toHaveLength(1_200);
  });

  it("names the item of the body when a later part is wrong, and takes all others", async () => {
    const items: object[] = numbers(1_500).map((n) => table(`second ${n}`));
    items.splice(1_200, 0, table("bad", { dataset: null }));
    const answer = await post(...items);
    expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    expect([answer.json.refused, answer.json.details[0].field]).toEqual([1, "items[1200]"]);
    expect(await client().find(at("bad"))).toBeUndefined();
    for (const name of ["second 0", "second 1499"]) {
      expect(await client().find(at(name))).toBeDefined();
    }
  });

  it("takes nothing of a body that is refused whole", async () => {
    const items = numbers(1_500).map((n) => table(`third ${n}`));
    const answer = await post(...items, table("third 7"));
    expect([answer.status, answer.json.details[0].field]).toEqual([500, "items[1500].catrn"]);
    expect(await client().find(at("third 0"))).toBeUndefined();
  });

  it("takes one item that is larger than a part", async () => {
    const answer = await post(table("heavy", { description: "ä".repeat(2_000_000) }));
    expect(answer.status).toBe(200);
    const details = await client().read(`/api/dataentities/${await client().id(at("heavy"))}`);
    expect(details.external_description).toHaveLength(2_000_000);
  });

  it("takes a gzipped body", async () => {
    const stream = new Blob([
      JSON.stringify({ data_source_catrn: source, items: [table("zipped")] }),
    ])
      .stream().pipeThrough(new CompressionStream("gzip"));
    const response = await fetch(new URL("/ingestion/entities", client().instance.url), {
      method: "POST",
      headers: { "content-encoding": "gzip", "content-type": "application/json" },
      body: await new Response(stream).arrayBuffer(),
    });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(await client().find(at("zipped"))).toBeDefined();
  });

  it("takes eight writers whose hollow entities overlap in any order", async () => {
    const hollow = numbers(40).map((n) => `shared ${n}`);
    const rounds = numbers(3).map((round) =>
      Promise.all(
        numbers(8).map(async (writer) => {
          const own = `//hive/host/writer ${writer}`;
          await client().register(own);
          const shuffled = hollow.toSorted((a, b) => (a + writer + round < b + writer ? 1 : -1));
          return await client().post("/ingestion/entities", {
            data_source_catrn: own,
            items: [
              { ...job(`job ${writer}`, shuffled, [...shuffled].reverse()), catrn: `${own}/job` },
              { ...table("t", { tags: shuffled.map((name) => ({ name })) }), catrn: `${own}/t` },
            ],
          });
        }),
      )
    );
    const answers = (await Promise.all(rounds)).flat();
    expect(answers.map((a) => [a.status, a.headers.get("x-ingestion-state")]))
      .toEqual(answers.map(() => [200, "applied"]));
    const id = await client().id("//hive/host/writer 3/job");
    const { edges } = await client().lineage(id, "upstream", 1);
    expect(edges).toHaveLength(40);
  });

  it("says what it did not follow, and the rest is whole", async () => {
    const fan = numbers(120).map((n) => job(`fan ${n}`, ["hub"], [`leaf ${n}`]));
    await post(table("hub"), ...fan);
    const path = `/api/dataentities/${await client().id(at("hub"))}/lineage/downstream`;
    const answer = await client().get(path, { lineage_depth: Number.MAX_SAFE_INTEGER });
    expect([answer.status, answer.headers.get("x-lineage-truncated")]).toEqual([200, "nodes"]);
    const { nodes, edges, truncated_at } = answer.json.downstream;
    expect(nodes.length).toBeLessThanOrEqual(200);
    expect(edges).toHaveLength(120);
    expect(truncated_at).toHaveLength(120);
    expect(truncated_at[0].remaining_depth).toBe(Number.MAX_SAFE_INTEGER - 1);
    const whole = await client().get(path, { lineage_depth: 1 });
    expect(whole.headers.get("x-lineage-truncated")).toBeNull();
    expect(whole.json.downstream.truncated_at).toBeUndefined();
    expect(Number(whole.headers.get("x-lineage-position"))).toBeGreaterThan(0);
  });

  it("reads its own write by position", async () => {
    for (const n of numbers(5)) {
      const written = await post(job("own", [`v${n}`], ["w"]));
      const id = await client().id(at("own"));
      const read = await client().get(`/api/dataentities/${id}/lineage/upstream`);
      expect(Number(read.headers.get("x-lineage-position")))
        .toBeGreaterThanOrEqual(Number(written.headers.get("x-lineage-position")));
      expect(read.json.upstream.edges).toHaveLength(1);
      expect(read.json.upstream.nodes.map((x: { catrn: string }) => x.catrn)).toContain(
        at(`v${n}`),
      );
    }
  });
}, { config: { lineage: { "max-nodes": 200 } } });
