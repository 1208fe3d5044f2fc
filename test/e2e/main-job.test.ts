import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";

const source = "//postgresql/host/db.example/databases/shop";
const table = (name: string) => `${source}/tables/${name}`;

const batch = {
  data_source_catrn: source,
  items: [
    {
      catrn: table("orders"),
      name: "orders",
      type: "TABLE",
      dataset: {
        field_list: [{
          catrn: `${table("orders")}/columns/id`,
          name: "id",
          type: { type: "TYPE_INTEGER", is_nullable: false },
        }],
      },
    },
    {
      catrn: `${source}/jobs/report`,
      name: "report",
      type: "JOB",
      data_transformer: { inputs: [table("orders")], outputs: [table("revenue")] },
    },
  ],
};

interface Answer {
  downstream: { nodes: { catrn: string }[]; edges: unknown[] };
}

describe.each(engineSets())("the main job, %s engines", (set) => {
  let instance: Instance;
  beforeAll(async () => void (instance = await startInstance(set)));
  afterAll(() => instance?.stop());

  it("takes a batch and answers its lineage at once", async () => {
    const registered = await instance.send("POST", "/ingestion/datasources", {
      items: [{ catrn: source, name: "Shop" }],
    });
    expect(registered.status).toBe(200);
    const posted = await instance.send("POST", "/ingestion/entities", batch);
    expect([posted.status, posted.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    const query = new URLSearchParams({ catrn: table("orders"), page: "1", size: "10" });
    const list = await instance.json(`/api/dataentities?${query}`) as { items: { id: number }[] };
    const id = list.items[0]!.id;
    const path = `/api/dataentities/${id}/lineage/downstream?lineage_depth=5`;
    const response = await instance.send("GET", path);
    const { downstream } = await response.json() as Answer;
    expect(downstream.nodes.map((n) => n.catrn).sort()).toEqual([
      `${source}/jobs/report`,
      table("orders"),
      table("revenue"),
    ]);
    expect(downstream.edges).toHaveLength(2);
    expect(Number(response.headers.get("x-lineage-position")))
      .toBeGreaterThanOrEqual(Number(posted.headers.get("x-lineage-position")));
  });

  it("answers an unchanged batch as applied without a second effect", async () => {
    const before = await instance.test.db.query("SELECT count(*) FROM lineage_outbox");
    const repeated = await instance.send("POST", "/ingestion/entities", batch);
    expect(repeated.headers.get("x-ingestion-state")).toBe("applied");
    expect(await instance.test.db.query("SELECT count(*) FROM lineage_outbox")).toEqual(before);
  });

  it("tells that it is ready, engine by engine", async () => {
    const response = await instance.send("GET", "/health/ready");
    const state = await response.json() as { ready: boolean; engines: object };
    expect([response.status, state.ready]).toEqual([200, true]);
    expect(Object.keys(state.engines)).toEqual(["metadata", "event-log", "graph", "cache"]);
    expect(await (await instance.send("GET", "/metrics")).text())
      .toContain("tributary_http_request_duration_seconds");
  });

  it("serves its documents and an explorer that needs no other host", async () => {
    for (const path of ["", "/platform-api", "/ingestion-api"]) {
      const document = await instance.json(`/api/v3/api-docs${path}`) as { openapi: string };
      expect(document.openapi).toBe("3.1.0");
    }
    const page = await (await instance.send("GET", "/api/explorer")).text();
    expect(page).not.toMatch(/https?:/);
    for (const file of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await instance.send("GET", file[1]!)).status).toBe(200);
    }
  });

  it("a second one is told which port is taken, and the key that sets another", async () => {
    const port = Number(new URL(instance.url).port);
    const second = startInstance(set, {
      config: { server: { port } },
      sharedDatabase: instance.test,
    });
    const message = `Port ${port} of 127.0.0.1 is taken: free it, or set server.port (SERVER_PORT)`;
    await expect(second).rejects.toThrow(message);
  });
});
