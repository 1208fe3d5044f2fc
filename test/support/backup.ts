import { inject } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Database } from "#metadata/postgres/database.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { openContext } from "#platform/compose.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { superuserOf, type TestDatabase } from "#test/support/engines/database.ts";
import { engineConfig, type EngineSet } from "#test/support/engines/instance.ts";

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
