import type { ConnectionRun, RunKind } from "#contract/connections/connection.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import { Config } from "#platform/config/schema.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import type { Connector, Finding, Item } from "../connector.ts";
import type { CollectorDeps } from "../deps.ts";
import { CollectorMetrics } from "../metrics.ts";
import { CollectorWorker } from "../worker.ts";

export const testSource = "//postgresql/host/db.example/databases/shop";
export const tableCatrn = (name: string) => `${testSource}/schemas/shop/tables/${name}`;

export const tableItem = (name: string, description = ""): Item => ({
  catrn: tableCatrn(name),
  name,
  type: "TABLE",
  description,
  dataset: { field_list: [] },
});
export const found = (item: Item): Finding => ({ kind: "item", item });

type Run = import("zod").output<typeof ConnectionRun>;

/** A collector over a connector that finds what a test says, and a log that remembers. */
export interface CollectorHarness extends TestDatabase {
  /** What the connector finds, as the test says. */
  source: { read: (signal: AbortSignal) => AsyncIterable<Finding> };
  /** CATRNs of each batch that was published. */
  batches: string[][];
  connection: number;
  start(holder?: string, more?: Partial<CollectorDeps>): Promise<CollectorWorker>;
  request(kind?: RunKind): Promise<number>;
  run(id: number): Promise<Run>;
  /** Requests a run and waits for its end. */
  ran(kind?: RunKind): Promise<Run>;
}

export async function collectorHarness(config: Record<string, unknown> = {}): Promise<CollectorHarness> {
  const test = await testDatabase(10);
  const { db } = test;
  const batches: string[][] = [];
  const workers: CollectorWorker[] = [];
  const wakeups = new Wakeups(test.url, silentLogger);
  const source: CollectorHarness["source"] = { read: async function* () {} };
  const connector: Connector = {
    check: () => Promise.resolve([{ name: "Connect", outcome: "OK", detail: "it answers" }]),
    read: ({ signal }) => source.read(signal),
  };
  await db.query("INSERT INTO data_source (catrn, name) VALUES ($1, 'shop')", [testSource]);
  const settings = { host: "db.example", port: 5432, database: "shop", user: "reader" };
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO connection (name, connector, settings, source_catrn) VALUES ('shop', 'postgresql', $1, $2)
     RETURNING id`,
    [JSON.stringify(settings), testSource],
  );
  const connection = row!.id;
  const publish = (_: string, records: NewRecord[]) => {
    for (const { value } of records) {
      const { items } = JSON.parse(new TextDecoder().decode(value)) as { items: Item[] };
      batches.push(items.map(({ catrn }) => catrn));
    }
    return Promise.resolve();
  };
  const start: CollectorHarness["start"] = async (holder = "one", more = {}) => {
    const worker = new CollectorWorker({
      db,
      events: { publish },
      leases: new Leases(db, holder),
      wakeups,
      clock: systemClock,
      log: silentLogger,
      metrics: new CollectorMetrics(noMetrics),
      config: Config.parse({ connections: config }),
      connectors: { postgresql: connector },
      outcomeWaitMs: 0,
      ...more,
    });
    workers.push(worker);
    await worker.start(() => {});
    return worker;
  };
  const request = async (kind: RunKind = "RUN") => {
    const [run] = await db.query<{ id: number }>(
      `WITH told AS (SELECT pg_notify('connection_run', ''))
       INSERT INTO connection_run (connection_id, kind) SELECT $1, $2 FROM told RETURNING id`,
      [connection, kind],
    );
    return run!.id;
  };
  const run = async (id: number) =>
    (await db.query<{ json: Run }>(
      "SELECT json_connection_run(r) AS json FROM connection_run r WHERE id = $1",
      [id],
    ))[0]!.json;
  return {
    ...test,
    source,
    batches,
    connection,
    start,
    request,
    run,
    async ran(kind) {
      const id = await request(kind);
      await eventually(async () => expectEnded((await run(id)).state));
      return await run(id);
    },
    async drop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await wakeups.close();
      await test.drop();
    },
  };
}

function expectEnded(state: string): void {
  if (state === "QUEUED" || state === "RUNNING") throw new Error(`the run is ${state}`);
}
