import { hostname } from "node:os";
import { resolve } from "node:path";
import { topics } from "#contract/topics.ts";
import { systemClock } from "#kit/clock.ts";
import { engineFailure, messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { retry } from "#kit/retry.ts";
import { classify, Database } from "#metadata/postgres/database.ts";
import { runningEmbedded, startEmbedded } from "#metadata/postgres/embedded.ts";
import { HistoryGuard } from "#metadata/postgres/history/guard.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { migrate, SchemaError } from "#metadata/schema/migrate.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import {
  createCache,
  createEventLog,
  createGraph,
  createHistory,
  createStorage,
} from "#platform/adapters.ts";
import { readAuthority } from "#platform/config/authority.ts";
import { baseUrlOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { BatchesInFlight, ReadChunkCache } from "#platform/batches-in-process.ts";
import type { Context } from "#platform/context.ts";
import { UsageError } from "#platform/startup.ts";

interface OpenOptions {
  config: Config;
  log: Logger;
  metrics: Metrics;
  /** Called when an embedded engine that this process started exits unexpectedly. */
  onEngineExit?: (detail: string) => void;
  /**
   * `start`: start the embedded engines that are needed. `attach`: use those of a running instance, and start
   * them only when none runs.
   */
  embedded: "start" | "attach";
  /** Folder of the schema; default: the schema of this release. */
  schema?: URL;
  /** False: leaves the schema as it is, for a command that works on any; the caller uses only what is there. */
  migrates?: boolean;
}

export interface OpenContext {
  context: Context;
  /** Closes connections, then the embedded engines that this call started. */
  close(): Promise<void>;
}

/** The composition root: opens the engines that the configuration names, and embedded ones for the rest. */
export async function openContext(options: OpenOptions): Promise<OpenContext> {
  const { config, log, metrics } = options;
  const server = await metadataServer(options);
  try {
    const migrates = options.migrates ?? true;
    if (migrates) await migrated(server.url, options);
    const holder = `${hostname()}:${process.pid}:${crypto.randomUUID().slice(0, 8)}`;
    const db = new Database({
      url: server.url,
      max: config.metadata.postgres["max-connections"],
      statementTimeoutMs: 30_000,
      applicationName: config.instance,
      // A command that leaves the schema as it is works on any server.
      guard: migrates ? new HistoryGuard({ holder, log, metrics }) : undefined,
    });
    const lookup = lookupDatabase(config);
    const wakeups = new Wakeups(server.url, log);
    const baseUrl = () => baseUrlOf(config);
    const shared = { config, baseUrl, db, lookup, wakeups, clock: systemClock, log, metrics };
    const [events, graph, history, cache, storage] = await Promise.all([
      createEventLog(shared),
      createGraph(shared),
      createHistory(shared),
      createCache(shared),
      createStorage(shared),
    ]);
    const leases = new Leases(db, holder);
    const own = { readChunks: new ReadChunkCache(metrics), batchesInFlight: new BatchesInFlight() };
    const engines = { events, graph, history, cache, storage };
    const context = { ...shared, ...engines, leases, ...own };
    return {
      context,
      async close() {
        await Promise.allSettled([events.close(), graph.close(), cache.close(), wakeups.close()]);
        await Promise.allSettled([db.close(), lookup?.close()]);
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Applies the schema of this release to the PostgreSQL that the configuration names, as every start does. Throws a
 * `UsageError` when none is named, `SchemaError` when the database must not be modified.
 */
export async function applySchema(config: Config, log: Logger): Promise<void> {
  const { url, ssl } = config.metadata.postgres;
  if (!url) {
    throw new UsageError(
      "metadata.postgres.url is not set: the packaged server needs no migration",
    );
  }
  await migrated(withAuthority(url, ssl["ca-file"]), { log });
}

/** Creates missing topics; retries, because the event log may start later than this process. */
export async function ensureTopics(context: Context): Promise<void> {
  const specs = topics(context.config["event-log"].kafka.partitions);
  await retry(() => context.events.ensureTopics(specs), {
    attempts: 30,
    initial: 500,
    max: 2_000,
    retryable: () => true,
    onRetry: (error) =>
      context.log.warn("waiting for the event log", { engine: context.events.engine, error }),
  });
}

interface MetadataServer {
  url: string;
  stop(): Promise<void>;
}

const nothing = () => Promise.resolve();

async function metadataServer(options: OpenOptions): Promise<MetadataServer> {
  const { config, log } = options;
  const given = config.metadata.postgres.url;
  if (given) {
    return { url: withAuthority(given, config.metadata.postgres.ssl["ca-file"]), stop: nothing };
  }
  const running = options.embedded === "attach" ? runningEmbedded(config.data.dir) : null;
  if (running) {
    return { url: await ensureDatabase(running, config.instance), stop: nothing };
  }
  const server = await startEmbedded({
    dataDir: config.data.dir,
    log,
    onExit: options.onEngineExit,
  });
  return { url: await ensureDatabase(server.url, config.instance), stop: server.stop };
}

/** The database of the rows of lookup tables; undefined when they are stored with the metadata. */
function lookupDatabase({ instance, metadata: { lookup } }: Config): Database | undefined {
  if (!lookup.url) return undefined;
  return new Database({
    url: withAuthority(lookup.url, lookup.ssl["ca-file"], "metadata.lookup.ssl.ca-file"),
    max: lookup["max-connections"],
    statementTimeoutMs: 30_000,
    applicationName: `${instance} lookup`,
  });
}

/** Adds the file of a private certificate authority to the URL; the client reads it at each connection. */
function withAuthority(
  url: string,
  file: string | undefined,
  key = "metadata.postgres.ssl.ca-file",
): string {
  if (!readAuthority(key, file)) return url;
  const secured = new URL(url);
  secured.searchParams.set("sslrootcert", resolve(file!));
  return secured.href;
}

async function migrated(
  url: string,
  { log, schema }: Pick<OpenOptions, "log" | "schema">,
): Promise<void> {
  await retry(() => migrate(url, log, schema), {
    attempts: 30,
    initial: 500,
    max: 2_000,
    // Processes that already use the schema may block its change for a while.
    retryable: (error) => ["pause", "retry"].includes(classify(error)),
    onRetry: (error) => log.warn("waiting for the metadata store", { error: messageOf(error) }),
  }).catch((error) => {
    throw error instanceof SchemaError ? error : engineFailure("PostgreSQL", error);
  });
}
