import { expect, it } from "vitest";
import { journey, lineageOf } from "#test/acceptance/client.ts";

const source = "//airflow/host/life";
const table = (name: string) => ({
  catrn: `${source}/${name}`,
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});
const job = (name: string, inputs: string[], outputs: string[]) => ({
  catrn: `${source}/${name}`,
  name,
  type: "JOB",
  data_transformer: {
    inputs: inputs.map((n) => `${source}/${n}`),
    outputs: outputs.map((n) => `${source}/${n}`),
  },
});

journey("the life of an entity", (client) => {
  const status = (id: number, status: string, more: object = {}) =>
    client().put(`/api/dataentities/${id}/statuses`, { status: { status, ...more } });
  const edges = async (name: string, direction: "upstream" | "downstream") =>
    (await client().lineage(await client().id(`${source}/${name}`), direction)).edges;
  /** On engines with a projection the graph follows a change made through the platform. */
  const shows = (name: string, direction: "upstream" | "downstream", expected: string[]) =>
    expect.poll(() => edges(name, direction)).toEqual(expected);
  let hollow = 0;

  it("shows a hollow entity in lineage only", async () => {
    await client().register(source);
    await client().ingest(source, table("a"), job("load", ["a"], ["b"]));
    const { nodes, edges } = await client().lineage(await client().id(`${source}/a`), "downstream");
    expect(edges).toEqual(["a>load", "load>b"]);
    const b = nodes.find((n) => n.catrn === `${source}/b`)!;
    hollow = b.id;
    expect([b.external_name, b.entity_classes ?? [], b.data_source]).toEqual([null, [], null]);
    expect(await client().find(`${source}/b`)).toBeUndefined();
    expect((await client().get(`/api/dataentities/${hollow}`)).status).toBe(404);
    expect((await client().lineage(hollow, "upstream")).edges).toEqual(["a>load", "load>b"]);
  });

  it("fills it by its first payload and keeps its id", async () => {
    await client().ingest(source, table("b"), {
      ...table("c"),
      dataset: { parent_catrn: `${source}/b`, field_list: [] },
    }, {
      catrn: `${source}/board`,
      name: "board",
      type: "DASHBOARD",
      data_consumer: { inputs: [`${source}/c`] },
    }, {
      catrn: `${source}/call`,
      name: "call",
      type: "API_CALL",
      data_input: { outputs: [`${source}/a`] },
    });
    expect(await client().id(`${source}/b`)).toBe(hollow);
    expect(await edges("call", "downstream"))
      .toEqual(["a>load", "b>c", "c>board", "call>a", "load>b"]);
  });

  it("takes a deleted entity out of lineage, lists and search, not out of reach by id", async () => {
    const id = await client().id(`${source}/b`);
    expect((await status(id, "DELETED")).json).toEqual({
      status: "DELETED",
      status_switch_time: null,
    });
    await shows("a", "downstream", ["a>load"]);
    await shows("board", "upstream", ["c>board"]);
    expect(await client().find(`${source}/b`)).toBeUndefined();
    const details = await client().read(`/api/dataentities/${id}`);
    expect(details.status.status).toBe("DELETED");
    for (const direction of ["upstream", "downstream"]) {
      const answer = await client().get(`/api/dataentities/${id}/lineage/${direction}`);
      expect([answer.status, answer.json.code]).toEqual([404, "USR002"]);
    }
  });

  it("restores it with every edge that touches it, whoever declared it", async () => {
    const before = await status(hollow, "STABLE");
    expect(before.json.status).toBe("STABLE");
    await shows("a", "downstream", ["a>load", "b>c", "c>board", "load>b"]);
  });

  it("restores by ingesting it again, as UNASSIGNED", async () => {
    await status(hollow, "DELETED");
    await shows("a", "downstream", ["a>load"]);
    await client().ingest(source, table("b"));
    expect(await edges("a", "downstream")).toEqual(["a>load", "b>c", "c>board", "load>b"]);
    const details = await client().read(`/api/dataentities/${hollow}`);
    expect(details.status.status).toBe("UNASSIGNED");
  });

  it("replaces exactly an establisher's own edges, also by none", async () => {
    await client().ingest(source, job("load", [], []));
    expect(await edges("a", "downstream")).toEqual([]);
    expect(await edges("board", "upstream")).toEqual(["b>c", "c>board"]);
    await client().ingest(
      source,
      job("load", ["a", "load"], ["b", "a"]),
      job("copy", ["a"], ["b"]),
    );
    expect(await edges("b", "upstream"))
      .toEqual(["a>copy", "a>load", "call>a", "copy>b", "load>a", "load>b", "load>load"]);
  });

  it("counts distinct neighbours, a self-loop once each way", async () => {
    const { nodes } = await client().lineage(await client().id(`${source}/b`), "upstream", 1);
    const counts = Object.fromEntries(
      nodes.map((n) => [n.catrn.split("/").at(-1), [n.parents_count, n.children_count]]),
    );
    expect(counts).toEqual({ b: [2, 1], copy: [1, 1], load: [2, 3] });
  });

  it("wants a switch time of a draft, and a sound one", async () => {
    const refused = await status(hollow, "DRAFT");
    expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
    expect((await status(hollow, "GONE")).status).toBe(400);
    expect((await status(999_999, "STABLE")).status).toBe(404);
    const until = "2099-01-01T00:00:00.000Z";
    const draft = await status(hollow, "DRAFT", { status_switch_time: until });
    expect(draft.json).toEqual({ status: "DRAFT", status_switch_time: until });
    await client().ingest(source, { ...table("b"), description: "new text" });
    const details = await client().read(`/api/dataentities/${hollow}`);
    expect(details.status).toEqual({ status: "DRAFT", status_switch_time: until });
  });

  it("deletes and restores the members of a group with it", async () => {
    const ids = await Promise.all(["a", "c"].map((n) => client().id(`${source}/${n}`)));
    const made = await client().post("/api/dataentitygroups", {
      name: "pair",
      namespace_name: "team",
      type: { id: 22, name: "DOMAIN" },
      entities: ids.map((id) => ({ id, status: { status: "UNASSIGNED" }, is_stale: false })),
    });
    expect(made.status).toBe(200);
    const group = made.json.id;
    const set = (status: string) =>
      client().put(`/api/dataentities/${group}/statuses`, {
        status: { status, status_switch_time: null },
        propagate: true,
      });
    await set("DELETED");
    expect(await client().find(`${source}/a`)).toBeUndefined();
    await shows("b", "downstream", []);
    await set("UNASSIGNED");
    const shown = async () => {
      const path = `/api/dataentities/${hollow}/lineage/downstream`;
      const params = { lineage_depth: 2, expanded_entity_ids: group };
      return lineageOf(await client().read(path, params), "downstream").edges;
    };
    await expect.poll(shown).toEqual(["b>c", "c>board"]);
    const lineage = await client().read(`/api/dataentitygroups/${group}/lineage`);
    expect(lineage.items.map((s: { nodes: unknown[] }) => s.nodes.length)).toEqual([1, 1]);
  });
});
