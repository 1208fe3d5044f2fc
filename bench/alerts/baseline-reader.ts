import { setTimeout as pause } from "node:timers/promises";
import { LogicalReplicationService, PgoutputPlugin } from "pg-logical-replication";
import type { Database } from "#metadata/postgres/database.ts";
import * as sql from "./queries.ts";

/** The yardstick: a replication slot reader that only records when each change arrived. */
export interface BaselineReader {
  /** By alert id: when its change was read, by `performance.now()`. */
  arrivals: Map<number, number>;
  stop(): Promise<void>;
}

const slot = "bench_bare_reader";

/** Milliseconds until the publication must exist; the notifier creates it. */
const publishedWithinMs = 20_000;

/** Waits for the publication, then reads its inserts through a slot of its own. */
export async function startBareReader(
  db: Database,
  url: string,
  publication: string,
): Promise<BaselineReader> {
  const end = performance.now() + publishedWithinMs;
  while ((await db.query(sql.findPublication, [publication])).length === 0) {
    if (performance.now() > end) throw new Error(`there is no publication ${publication}`);
    await pause(10);
  }
  await db.query(sql.createSlot, [slot]);
  const arrivals = new Map<number, number>();
  const service = new LogicalReplicationService({ connectionString: url }, {
    // Confirming would take time, and the slot is dropped anyway.
    acknowledge: { auto: false, timeoutSeconds: 0 },
  });
  service.on("data", (_lsn: string, change: { tag: string; new?: { alert_id: string } }) => {
    if (change.tag === "insert") arrivals.set(Number(change.new!.alert_id), performance.now());
  });
  const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: [publication] });
  const started = new Promise<void>((ready) => service.once("start", () => ready()));
  const ended = service.subscribe(plugin, slot).then(() => {}, () => {});
  await started;
  return {
    arrivals,
    async stop() {
      await service.destroy();
      await ended;
      await db.query(sql.dropSlot, [slot]);
    },
  };
}
