import type { z } from "@hono/zod-openapi";
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
import { type CollectorDeps, collectorMetrics } from "../deps.ts";
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

type Run = z.output<typeof ConnectionRun>;

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

/** Makes a connection that nothing schedules. */
async function seedConnection({ db }: TestDatabase): Promise<number> {
  await db.query("INSERT INTO data_source (catrn, name) VALUES ($1, 'shop')", [testSource]);
  const settings = { host: "db.example", port: 5432, database: "shop", user: "reader" };
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO connection (name, connector, settings, source_catrn)
     VALUES ('shop', 'postgresql', $1, $2) RETURNING id`,
    [JSON.stringify(settings), testSource],
  );
  return row!.id;
}

/** An event log that notes the CATRNs of each batch. */
function recording(batches: string[][]): CollectorDeps["events"] {
  return {
    publish(_: string, records: NewRecord[]) {
      for (const { value } of records) {
        const { items } = JSON.parse(new TextDecoder().decode(value)) as { items: Item[] };
        batches.push(items.map(({ catrn }) => catrn));
      }
      return Promise.resolve([]);
    },
  };
}

/** Runs as they are asked for and answered. */
function runsOf({ db }: TestDatabase, connection: number) {
  const request = async (kind: RunKind = "RUN") => {
    const [run] = await db.query<{ id: number }>(
      `WITH notified AS (SELECT pg_notify('connection_run', ''))
       INSERT INTO connection_run (connection_id, kind) SELECT $1, $2 FROM notified RETURNING id`,
      [connection, kind],
    );
    return run!.id;
  };
  const run = async (id: number) =>
    (await db.query<{ json: Run }>(
      "SELECT json_connection_run(r) AS json FROM connection_run r WHERE id = $1",
      [id],
    ))[0]!.json;
  const ran = async (kind?: RunKind) => {
    const id = await request(kind);
    await eventually(async () => expectEnded((await run(id)).state));
    return await run(id);
  };
  return { request, run, ran };
}

function expectEnded(state: string): void {
  if (state === "QUEUED" || state === "RUNNING") throw new Error(`the run is ${state}`);
}

export async function collectorHarness(
  config: Record<string, unknown> = {},
): Promise<CollectorHarness> {
  const test = await testDatabase(10);
  const { db, url } = test;
  const batches: string[][] = [];
  const workers: CollectorWorker[] = [];
  const wakeups = new Wakeups(url, silentLogger);
  const source: CollectorHarness["source"] = { read: async function* () {} };
  const connector: Connector = {
    check: () => Promise.resolve([{ name: "Connect", outcome: "OK", detail: "it answers" }]),
    read: ({ signal }) => source.read(signal),
  };
  const deps = {
    ...{ db, wakeups, clock: systemClock, log: silentLogger, outcomeWaitMs: 0 },
    events: recording(batches),
    metrics: collectorMetrics(noMetrics),
    config: Config.parse({ connections: config }),
    connectors: { postgresql: connector },
  };
  const connection = await seedConnection(test);
  return {
    ...{ ...test, ...runsOf(test, connection), source, batches, connection },
    async start(holder = "one", more = {}) {
      const worker = new CollectorWorker({ ...deps, leases: new Leases(db, holder), ...more });
      workers.push(worker);
      await worker.start(() => {});
      return worker;
    },
    async drop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await wakeups.close();
      await test.drop();
    },
  };
}
