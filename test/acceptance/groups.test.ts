import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//mlflow/host/groups";
const at = (name: string) => `${source}/${name}`;
const group = (name: string, type: string, members: string[], parent?: string) => ({
  catrn: at(name),
  name,
  type,
  data_entity_group: {
    entities_list: members.map(at),
    group_catrn: parent === undefined ? null : at(parent),
  },
});
const training = (name: string, inputs: string[], outputs: string[]) => ({
  catrn: at(name),
  name,
  type: "ML_MODEL_TRAINING",
  data_transformer: { inputs: inputs.map(at), outputs: outputs.map(at) },
});
const file = (name: string) => ({
  catrn: at(name),
  name,
  type: "FILE",
  dataset: { field_list: [] },
});
const page = { page: 1, size: 20 };

journey("groups", (client) => {
  const id = (name: string) => client().id(at(name));
  const members = async (name: string) => {
    const { items } = await client().read("/ingestion/entities/degs/children", { catrn: at(name) });
    return items.map((i: { catrn: string }) => i.catrn.slice(source.length + 1)).sort();
  };
  const lineage = async (name: string, query: object) => {
    const path = `/api/dataentities/${await id(name)}/lineage/downstream`;
    return (await client().read(path, { lineage_depth: 9, ...query })).downstream;
  };
  const names = (nodes: { external_name: string }[]) => nodes.map((n) => n.external_name).sort();
  let made = 0;

  it("nests by parent, and hides nested groups from search", async () => {
    await client().register(source);
    await client().ingest(
      source,
      group("run 1", "ML_EXPERIMENT", ["train", "model"], "experiment"),
      group("experiment", "ML_EXPERIMENT", []),
      file("input"),
      training("train", ["input"], ["model"]),
      file("model"),
    );
    const outer = await id("experiment");
    const children = await client().read(`/api/dataentitygroups/${outer}/children`, page);
    expect(names(children.items)).toEqual(["run 1"]);
    const details = await client().read(`/api/dataentities/${outer}`);
    expect([details.has_children, details.items_count]).toEqual([true, 1]);
    const { search_id } = (await client().post("/api/search", { query: "run", filters: {} })).json;
    expect((await client().read(`/api/search/${search_id}/results`, page)).items).toEqual([]);
    expect(await client().find(at("run 1"))).toBeUndefined();
  });

  it("draws the outermost closed group, and opens what is requested", async () => {
    const outer = await id("experiment");
    const closed = await lineage("input", {});
    expect(names(closed.nodes)).toEqual(["experiment", "input"]);
    expect(closed.edges).toEqual([{ source_id: await id("input"), target_id: outer }]);
    const opened = await lineage("input", { expanded_entity_ids: outer });
    expect(names(opened.nodes)).toEqual(["input", "run 1"]);
    const inner = opened.groups.find((g: { external_name: string }) => g.external_name === "run 1");
    const all = await lineage("input", { expanded_entity_ids: `${outer},${inner.id}` });
    expect(names(all.nodes)).toEqual(["input", "model", "train"]);
    expect(names(all.groups)).toEqual(["experiment", "run 1"]);
    const path = `/api/dataentities/${await id("input")}/lineage/downstream?lineage_depth=9`;
    const repeated = await client().read(
      `${path}&expanded_entity_ids=${outer}&expanded_entity_ids=${inner.id}`,
    );
    expect(names(repeated.downstream.nodes)).toEqual(names(all.nodes));
  });

  it("collapses nothing with expand=all, whatever else is requested", async () => {
    const outer = await id("experiment");
    const expected = [["input", "model", "train"], ["experiment", "run 1"], 2];
    for (const more of [{}, { expanded_entity_ids: outer }]) {
      const { nodes, groups, edges } = await lineage("input", { expand: "all", ...more });
      expect([names(nodes), names(groups), edges.length]).toEqual(expected);
      expect(nodes.every((n: { children_count: number }) => n.children_count !== null)).toBe(true);
    }
    const path = `/api/dataentities/${outer}/lineage/downstream?expand=some`;
    expect((await client().get(path)).json.details).toMatchObject([{ field: "expand" }]);
  });

  it("answers lineage within a group by component", async () => {
    const { items } = await client().read(
      `/api/dataentitygroups/${await id("experiment")}/lineage`,
    );
    expect(items.map((s: { nodes: { external_name: string }[] }) => names(s.nodes)))
      .toEqual([["model", "train"]]);
    const none = await client().get(`/api/dataentitygroups/${await id("input")}/lineage`);
    expect([none.status, none.json.code]).toEqual([404, "USR002"]);
  });

  it("replaces the members of a group that is posted again", async () => {
    await client().ingest(source, group("box", "DAG", ["input", "later", "model"]));
    expect(await members("box")).toEqual(["input", "model"]);
    await client().ingest(source, file("later"));
    expect(await members("box")).toEqual(["input", "later", "model"]);
    await client().ingest(source, group("box", "DAG", ["later"]));
    expect(await members("box")).toEqual(["later"]);
    await client().ingest(source, group("box", "DAG", []));
    expect(await members("box")).toEqual([]);
  });

  it("makes, changes and empties groups by hand", async () => {
    const answer = await client().post("/api/dataentitygroups", {
      name: "Curated",
      namespace_name: "team",
      type: { id: 22, name: "DOMAIN" },
      entities: [{ id: await id("input") }],
    });
    made = answer.json.id;
    expect(answer.json).toMatchObject({ internal_name: "Curated", manually_created: true });
    const domains = await client().read("/api/dataentitygroups/domains");
    expect(domains.items).toMatchObject([{ domain: { id: made }, children_count: 1 }]);
    const model = await id("model");
    const add = () =>
      client().post(`/api/dataentities/${model}/data_entity_group`, { data_entity_group_id: made });
    expect((await add()).json.id).toBe(made);
    expect((await add()).status).toBe(400);
    const items = await client().read(`/api/dataentitygroups/${made}/items`, page);
    expect(items.entities_count).toBe(2);
    const found = await client().read(`/api/dataentitygroups/${made}/items`, {
      ...page,
      query: "MOD",
    });
    expect(found.items.map((i: { data_entity: { id: number } }) => i.data_entity.id)).toEqual([
      model,
    ]);
    const details = await client().read(`/api/dataentities/${model}`);
    expect(details.data_entity_groups.map((g: { id: number }) => g.id)).toContain(made);
    const path = `/api/dataentities/${model}/data_entity_group/${made}`;
    expect((await client().delete(path)).status).toBe(204);
    expect([400, 404]).toContain((await client().delete(path)).status);
    const updated = await client().put(`/api/dataentitygroups/${made}`, {
      name: "Renamed",
      namespace_name: null,
      type: { id: 22, name: "DOMAIN" },
      entities: [],
    });
    expect(updated.json.internal_name).toBe("Renamed");
    const empty = await client().get(`/api/dataentitygroups/${made}/lineage`);
    expect(empty.status).toBe(404);
  });

  it("leaves ingested groups to their collectors", async () => {
    const box = await id("box");
    const form = { name: "x", type: { id: 17, name: "DAG" }, entities: [] };
    expect((await client().put(`/api/dataentitygroups/${box}`, form)).status).toBe(400);
    const add = await client().post(`/api/dataentities/${await id("input")}/data_entity_group`, {
      data_entity_group_id: box,
    });
    expect(add.status).toBe(400);
  });
});
