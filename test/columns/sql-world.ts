import { expect } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import {
  sqlLineageMetrics,
  SqlLineageWorker,
} from "#services/ingest-consumer/sql-lineage/worker.ts";
import { SqlReader } from "#services/ingest-consumer/sql-lineage/reader.ts";
import type { Item } from "#services/ingest-consumer/testing/harness.ts";
import {
  type Arrow,
  catrnOf,
  columnJob,
  columnTable,
  type ColumnTestBed,
  columnWorld,
} from "#test/columns/world.ts";
import { eventually } from "#test/support/eventually.ts";

/** Waits for SQL longer than the service does, for machines under load. */
export const patientOptions = { metrics: noMetrics, deadlineMs: 60_000 };

/** A world whose SQL is read by workers that are told of what ingestion changes, as in the service. */
export interface SqlTestBed extends ColumnTestBed {
  start(enabled?: boolean, reader?: SqlReader): Promise<SqlLineageWorker>;
  /** Stops all that were started. */
  stop(): Promise<void>;
  /** Waits until nothing is left to read. */
  settled(): Promise<void>;
  /** Waits until nothing that was read from SQL is left, where reading is switched off. */
  withdrawn(): Promise<void>;
  /** Edges of the job of this name, with what has a say, each with where it comes from. */
  edges(name: string): Promise<string[]>;
  /** Edges of the job of this name that have ended. */
  past(name: string): Promise<{ origin: number }[]>;
}

export async function sqlWorld(): Promise<SqlTestBed> {
  const running: SqlLineageWorker[] = [];
  const at = await columnWorld((ids) => running.forEach((worker) => worker.hint(ids)));
  const stop = async () => void await Promise.all(running.splice(0).map((worker) => worker.stop()));
  return {
    ...at,
    stop,
    async drop() {
      await stop();
      await at.drop();
    },
    async start(enabled = true, reader = new SqlReader(patientOptions)) {
      const worker = new SqlLineageWorker({
        enabled,
        db: at.db,
        reader,
        clock: systemClock,
        log: silentLogger,
        metrics: sqlLineageMetrics(noMetrics),
      });
      await worker.start((error) => {
        throw error;
      });
      running.push(worker);
      return worker;
    },
    settled: () =>
      eventually(async () => {
        const due = "SELECT sql_due(ARRAY(SELECT id FROM data_entity)) AS due";
        expect(await at.rows(due)).toEqual([]);
      }),
    withdrawn: () =>
      eventually(async () => expect(await at.rows("SELECT FROM sql_reading")).toEqual([])),
    async edges(name) {
      const path = `/api/dataentities/${await at.id(`${name}-job`)}/columns/lineage`;
      const { json } = await at.api.get(path);
      const names = new Map(json.columns.map((c: { id: number; name: string }) => [c.id, c.name]));
      return json.edges.map((e: Record<string, never>) =>
        `${names.get(e.source_id)} ${e.kind === "DIRECT" ? ">" : "~>"} ${
          names.get(e.target_id)
        } ${e.origin}`
      ).sort();
    },
    past: async (name) =>
      await at.rows<{ origin: number }>(
        "SELECT origin FROM column_edge_history WHERE establisher_id = $1",
        await at.id(`${name}-job`),
      ),
  };
}

/** A job that fills `<name>-mart` from `<name>-raw` by this SQL. */
export function sqlJob(name: string, sql?: string, arrows?: Arrow[]): Item {
  const job = columnJob(`${name}-job`, arrows);
  const io = { inputs: [catrnOf(`${name}-raw`)], outputs: [catrnOf(`${name}-mart`)] };
  return {
    ...job,
    data_transformer: { ...job.data_transformer as object, ...io, ...(sql ? { sql } : {}) },
  };
}

export const insert = (name: string, from = "a", into = "x") =>
  `INSERT INTO "${name}-mart" (${into}) SELECT ${from} FROM "${name}-raw" WHERE live`;

export const tables = (name: string) => [
  columnTable(`${name}-raw`, "A", "b", "live"),
  columnTable(`${name}-mart`, "x", "y"),
];
