import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";

const source = "//postgresql/host/db.example/databases/shop";
const table = (name: string) => `${source}/schemas/public/tables/${name}`;

const dataset = (name: string, ...fields: string[]) => ({
  catrn: table(name),
  name,
  type: "TABLE",
  dataset: {
    field_list: fields.map((field) => ({
      catrn: `${table(name)}/columns/${field}`,
      name: field,
      type: { type: "TYPE_INTEGER", is_nullable: false },
    })),
  },
});
const job = (name: string, output: string) => ({
  catrn: `${source}/jobs/${name}`,
  name,
  type: "JOB",
  data_transformer: {
    inputs: [table("orders")],
    outputs: [table(output)],
    sql: `INSERT INTO ${output} (net) SELECT sum(o.total) FROM public.orders o WHERE o.live`,
  },
});
const batch = (...items: unknown[]) => ({ data_source_catrn: source, items });

interface Answer {
  columns: { id: number; name: string | null }[];
  edges: { source_id: number; target_id: number; kind: string; origin: string }[];
}

/** Edges into a table, as the API at this address tells of them. */
async function edgesInto(url: string, name: string): Promise<string[]> {
  const read = async (path: string) => {
    const response = await fetch(new URL(path, url));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const query = new URLSearchParams({ catrn: table(name), page: "1", size: "1" });
  const { items: [found] } = await read(`/api/dataentities?${query}`);
  const path = `/api/datasets/${found.id}/columns/lineage/upstream?include_indirect=true`;
  const { columns, edges }: Answer = await read(path);
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  return edges.map(({ source_id, target_id, kind, origin }) =>
    `${names.get(source_id)} ${kind} ${names.get(target_id)} ${origin}`
  ).sort();
}
const read = ["live INDIRECT null SQL", "total DIRECT net SQL"];

const post = (url: string, path: string, body: unknown) =>
  fetch(new URL(path, url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe.each(engineSets())("column lineage of SQL, %s engines", (set) => {
  let test: TestDatabase;
  let instance: Instance;
  const start = async (columns: Record<string, unknown>) =>
    instance = await startInstance(set, { sharedDatabase: test, config: { lineage: { columns } } });
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(async () => {
    await instance?.stop();
    await test.drop();
  });

  it("is answered soon after a batch that brings SQL", async () => {
    const { url } = await start({});
    await post(url, "/ingestion/datasources", { items: [{ catrn: source, name: "Shop" }] });
    const items = [dataset("orders", "total", "live"), dataset("revenue", "net")];
    const posted = await post(url, "/ingestion/entities", batch(...items, job("r", "revenue")));
    expect([posted.status, posted.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
    await eventually(async () => expect(await edgesInto(url, "revenue")).toEqual(read));
    const metrics = await eventually(async () => {
      const text = await (await fetch(new URL("/metrics", url))).text();
      expect(text).toMatch(/^tributary_sql_lineage_read_total 1$/m);
      return text;
    });
    expect(metrics).toMatch(/^tributary_sql_lineage_refused_total\{reason="statement"\} 0$/m);
    await instance.stop();
  });

  it("is gone where it is switched off", async () => {
    const { url } = await start({ "from-sql": false });
    await eventually(async () => expect(await edgesInto(url, "revenue")).toEqual([]));
    await post(url, "/ingestion/entities", batch(dataset("second", "net"), job("s", "second")));
    expect(await edgesInto(url, "second")).toEqual([]);
  });
});

describe("a process that is killed", () => {
  let test: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    test = await testDatabase();
    const env = { METADATA_POSTGRES_URL: test.url, LINEAGE_COLUMNS_FROM_SQL: "true" };
    service = await startService({ service: "all", env });
  });
  afterAll(async () => {
    await service?.kill();
    await test.drop();
  });

  it("before it has read all SQL reads the rest when it is back, with its permissions", async () => {
    const { url } = service;
    await post(url, "/ingestion/datasources", { items: [{ catrn: source, name: "Shop" }] });
    const outputs = Array.from({ length: 40 }, (_, n) => `out${n}`);
    const items = outputs.flatMap((name) => [dataset(name, "net"), job(`j-${name}`, name)]);
    const posted = await post(
      url,
      "/ingestion/entities",
      batch(dataset("orders", "total", "live"), ...items),
    );
    expect(posted.headers.get("x-ingestion-state")).toBe("applied");
    await service.kill();
    const [{ left }] = await test.db.query<{ left: number }>(
      `SELECT count(*) AS left FROM sql_due(ARRAY(SELECT id FROM data_entity))`,
    ) as [{ left: number }];
    expect(left).toBeGreaterThan(0);
    await service.start();
    await eventually(async () => {
      for (const name of outputs) expect([name, await edgesInto(url, name)]).toEqual([name, read]);
    });
  });
});
