import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//oracle/host/activity";
const table = (name: string) => ({
  catrn: `${source}/${name}`,
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});
const job = {
  catrn: `${source}/job`,
  name: "job",
  type: "JOB",
  data_transformer: { inputs: [`${source}/a`], outputs: [`${source}/later`] },
};

interface OpenApiPaths {
  paths: Record<string, Record<string, Record<string, unknown>>>;
}

journey("what the activity feed will tell", (client) => {
  let checked = 0;
  /** Events since the last call, as `type entity by`. */
  const newEvents = async () => {
    const rows = await client().instance.test.db.query<{ id: number; line: string }>(
      `SELECT a.id, concat_ws(' ', a.event_type, coalesce(e.external_name, e.internal_name),
              coalesce(a.created_by, CASE WHEN a.system_event THEN 'system' END)) AS line
         FROM activity a LEFT JOIN data_entity e ON e.id = a.entity_id
        WHERE a.id > $1 ORDER BY a.id`,
      [checked],
    );
    checked = Math.max(checked, ...rows.map((row) => row.id));
    return rows.map((row) => row.line).sort();
  };

  it("tells of each new entity once, of a hollow one when it is filled, of updates nothing", async () => {
    await client().register(source);
    await client().ingest(source, table("a"), job);
    expect(await newEvents()).toEqual([
      "DATA_ENTITY_CREATED a system",
      "DATA_ENTITY_CREATED job system",
    ]);
    await client().ingest(source, { ...table("a"), description: "changed" }, job);
    expect(await newEvents()).toEqual([]);
    await client().ingest(source, table("later"));
    expect(await newEvents()).toEqual(["DATA_ENTITY_CREATED later system"]);
  });

  it("tells of a status only if it changed", async () => {
    const id = await client().id(`${source}/a`);
    const put = () =>
      client().put(`/api/dataentities/${id}/statuses`, { status: { status: "STABLE" } });
    await put();
    await put();
    expect(await newEvents()).toEqual(["DATA_ENTITY_STATUS_UPDATED a"]);
  });

  it("tells of groups made and changed by hand", async () => {
    const id = await client().id(`${source}/a`);
    const form = { name: "hand", type: { id: 22, name: "DOMAIN" }, entities: [] };
    const group = (await client().post("/api/dataentitygroups", form)).json.id;
    await client().post(`/api/dataentities/${id}/data_entity_group`, {
      data_entity_group_id: group,
    });
    await client().delete(`/api/dataentities/${id}/data_entity_group/${group}`);
    await client().put(`/api/dataentitygroups/${group}`, { ...form, entities: [{ id }] });
    const refused = await client().put(`/api/dataentitygroups/${group}`, {
      ...form,
      entities: [{ id: 99_999 }],
    });
    expect(refused.status).toBe(400);
    expect((await newEvents()).map((line) => line.split(" ")[0])).toEqual([
      "CUSTOM_GROUP_CREATED",
      "CUSTOM_GROUP_UPDATED",
      "CUSTOM_GROUP_UPDATED",
      "CUSTOM_GROUP_UPDATED",
    ]);
  });

  it("is declared with the permission by every operation that changes something", async () => {
    for (const name of ["platform-api", "ingestion-api"]) {
      const { paths } = await client().read(`/api/v3/api-docs/${name}`) as OpenApiPaths;
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(operations)) {
          expect([path, method, typeof operation["x-access"]]).toEqual([path, method, "string"]);
          if (method !== "get") {
            expect([path, method, operation["x-activity"]])
              .toEqual([path, method, expect.anything()]);
          }
        }
      }
    }
  });
});
