import { expect, it } from "vitest";
import { isPublished, permissions } from "#contract/permissions.ts";
import { journey } from "#test/acceptance/client.ts";

const page = { page: 1, size: 50 };
const table = (source: string, name: string) => ({
  catrn: `${source}/${name}`,
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});

journey("sources, collectors, namespaces", (client) => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it("ties a source to the collector whose token registers it", async () => {
    const made = await client().post("/api/collectors", { name: "agent", namespace_name: "prod" });
    const { token, id, namespace } = made.json;
    expect([made.status, namespace.name, token.value.length]).toEqual([200, "prod", 40]);
    const catrn = "//mysql/host/tied";
    const items = [{ catrn, name: "Tied", description: null }];
    for (const header of [{}, bearer("unknown"), bearer(token.value)]) {
      const answer = await client().post("/ingestion/datasources", { items }, header);
      expect([answer.status, answer.text]).toEqual([200, ""]);
    }
    const list = await client().read("/api/datasources", { ...page, query: "tied" });
    expect(list.items).toMatchObject([{ catrn, name: "Tied", namespace: { name: "prod" } }]);
    const refused = await client().delete(`/api/collectors/${id}`);
    expect([refused.status, refused.json.code]).toEqual([400, "USR004"]);
    const collectors = await client().read("/api/collectors", page);
    expect(collectors.items[0].token.value).not.toBe(token.value);
    const renewed = await client().put(`/api/collectors/${id}/token`);
    expect(renewed.json.token.value).not.toBe(token.value);
    const later = "//mysql/host/later";
    const newcomer = { items: [{ catrn: later, name: "Later" }] };
    for (const old of [token.value, collectors.items[0].token.value]) {
      await client().post("/ingestion/datasources", newcomer, bearer(old));
      const { items } = await client().read("/api/datasources", { ...page, query: "later" });
      expect(items).toMatchObject([{ catrn: later, namespace: null }]);
    }
    await client().post("/ingestion/datasources", newcomer, bearer(renewed.json.token.value));
    const { items: tied } = await client().read("/api/datasources", { ...page, query: "later" });
    expect(tied).toMatchObject([{ catrn: later, namespace: { name: "prod" } }]);
  });

  it("registers a source by hand, once", async () => {
    const form = { name: "Manual", catrn: "//s3/bucket/manual", description: "by hand" };
    const made = await client().post("/api/datasources", form);
    expect(made.json).toMatchObject({ ...form, namespace: null });
    expect(made.json.token.value).toHaveLength(40);
    const repeated = await client().post("/api/datasources", form);
    expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
    await client().ingest(form.catrn, table(form.catrn, "t"));
    const refused = await client().delete(`/api/datasources/${made.json.id}`);
    expect([refused.status, refused.json.code]).toEqual([400, "USR004"]);
  });

  it("deletes a source that holds nothing, and it is unknown from then on", async () => {
    const catrn = "//s3/bucket/empty";
    const made = await client().post("/api/datasources", { name: "Empty", catrn });
    expect((await client().delete(`/api/datasources/${made.json.id}`)).status).toBe(204);
    const answer = await client().post("/ingestion/entities", {
      data_source_catrn: catrn,
      items: [table(catrn, "t")],
    });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    await client().register(catrn, "Empty");
    await client().ingest(catrn, table(catrn, "t"));
  });

  it("walks the directory from system to entity", async () => {
    const { items } = await client().read("/api/directory");
    const s3 = items.find((i: { prefix: string }) => i.prefix.includes("s3"));
    expect(s3.entities_count).toBe(2);
    const sources = await client().read("/api/directory/datasources", { prefix: s3.prefix });
    expect([sources.entities_count, sources.items.length]).toEqual([2, 2]);
    const { id } = sources.items[0];
    const types = await client().read(`/api/directory/datasources/${id}/types`);
    expect(types).toEqual([{ id: 1, name: "TABLE" }]);
    const entities = await client().read(`/api/directory/datasources/${id}`, {
      ...page,
      type_id: 1,
    });
    expect(entities.entities.page_info.total).toBe(1);
  });

  it("keeps namespaces unique and while they are used", async () => {
    const list = await client().read("/api/namespaces", { ...page, query: "PRO" });
    expect(list.items.map((n: { name: string }) => n.name)).toEqual(["prod"]);
    const { id } = list.items[0];
    const twice = await client().post("/api/namespaces", { name: "prod" });
    expect([twice.status, twice.json.code]).toEqual([400, "USR003"]);
    const used = await client().delete(`/api/namespaces/${id}`);
    expect([used.status, used.json.code]).toEqual([400, "USR004"]);
    expect((await client().put(`/api/namespaces/${id}`, { name: "live" })).json)
      .toEqual({ id, name: "live" });
    const spare = await client().post("/api/namespaces", { name: "spare" });
    expect((await client().delete(`/api/namespaces/${spare.json.id}`)).status).toBe(204);
    expect((await client().get(`/api/namespaces/${spare.json.id}`)).status).toBe(404);
  });

  it("tells who calls and what runs", async () => {
    const me = await client().read("/api/identity/whoami");
    expect([me.identity.username, me.owner ?? null]).toEqual(["admin", null]);
    expect([...me.identity.permissions].sort()).toEqual(permissions.filter(isPublished).sort());
    const info = await client().read("/api/appInfo");
    expect(info).toEqual({
      projectVersion: expect.any(String),
      contractVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      authType: "DISABLED",
    });
    expect((await client().read("/api/features/active")).items).toEqual([]);
    for (const path of ["my", "my/upstream", "my/downstream"]) {
      expect(await client().read(`/api/dataentities/${path}`, page)).toEqual([]);
      expect((await client().get(`/api/dataentities/${path}`)).status).toBe(400);
    }
  });

  it("counts what there is, by class and type", async () => {
    const usage = await client().read("/api/dataentities/usage");
    expect(usage.total_count).toBe(2);
    const [datasets] = usage.data_entity_classes_info.filter(
      (c: { entity_class: { name: string } }) => c.entity_class.name === "DATA_SET",
    );
    expect(datasets).toMatchObject({ total_count: 2 });
    const { entity_classes, types } = await client().read("/api/dataentities/classes");
    expect([entity_classes.length, types.length]).toEqual([9, 25]);
  });
});
