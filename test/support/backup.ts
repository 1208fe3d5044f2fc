import { join } from "node:path";
import { inject } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Database } from "#metadata/postgres/database.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { createBackup } from "#platform/backup/create.ts";
import { directoryReader, directoryWriter } from "#platform/backup/directory.ts";
import { openContext } from "#platform/compose.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { superuserOf, type TestDatabase } from "#test/support/engines/database.ts";
import { engineConfig, type EngineSet, type Instance } from "#test/support/engines/instance.ts";
import { restoreBackup } from "../../tools/restore/restore.ts";

/** An empty database, without tables, on a machine that has nothing else. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `t_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const url = await ensureDatabase(server, name);
  const db = new Database({
    url,
    max: 4,
    statementTimeoutMs: 30_000,
    applicationName: `test ${name}`,
  });
  return {
    db,
    url,
    name,
    async drop() {
      await db.close();
      await superuserOf("postgres", server).query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Runs `work` as a command does beside an instance, without touching the schema. */
export async function asCommand<T>(
  set: EngineSet,
  { name, url }: TestDatabase,
  config: Record<string, unknown>,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { context, close } = await openContext({
    config: Config.parse({
      instance: name,
      metadata: { postgres: { url } },
      ...engineConfig(set),
      ...config,
    }),
    log: silentLogger,
    metrics: noMetrics,
    embedded: "attach",
    migrates: false,
  });
  try {
    return await work(context);
  } finally {
    await close();
  }
}

export const source = "//postgresql/host/db.example/databases/backup";
export const table = (n: number | string) => `${source}/tables/t${n}`;

/** A batch of a chain: each table is made from the one before. */
export const batch = (n: number) => ({
  data_source_catrn: source,
  items: [{
    catrn: table(n),
    name: `t${n}`,
    type: "TABLE",
    dataset: { field_list: [] },
  }, {
    catrn: `${source}/jobs/j${n}`,
    name: `j${n}`,
    type: "JOB",
    data_transformer: { inputs: [table(n - 1)], outputs: [table(n)] },
  }],
});

/** Posts batch `n`; returns the state of its answer. */
export async function post(instance: Instance, n: number): Promise<string | null> {
  const response = await instance.send("POST", "/ingestion/entities", batch(n));
  if (response.status !== 200) throw new Error(`batch ${n}: ${await response.text()}`);
  return response.headers.get("x-ingestion-state");
}

/** Machines with disks of their own in a folder, where backups lie beside them. */
export function machines(folder: string) {
  const onDisk = (machine: string) => ({
    attachment: { local: { path: join(folder, machine, "attachments") } },
  });
  return {
    onDisk,
    backUp: (set: EngineSet, test: TestDatabase, machine: string, name: string) =>
      asCommand(set, test, onDisk(machine), async (context) => {
        const writer = await directoryWriter(join(folder, name));
        return (await createBackup(context, writer)).manifest;
      }),
    restore: (
      set: EngineSet,
      test: TestDatabase,
      machine: string,
      name: string,
      { overwrite } = { overwrite: false },
    ) =>
      asCommand(set, test, onDisk(machine), (context) => {
        const reader = directoryReader(join(folder, name));
        return restoreBackup(context, reader, { overwrite });
      }),
  };
}
