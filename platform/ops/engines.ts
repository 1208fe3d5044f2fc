import type { Context } from "#platform/context.ts";
import { withTimeout } from "#kit/retry.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";

/** What a process needs to do its work, by the port that it is reached through. */
export const enginePorts = ["metadata", "event-log", "graph", "cache", "storage"] as const;
type EnginePort = (typeof enginePorts)[number];

/** Status of an engine: `unknown` when it does not respond, so that it may or may not be down. */
export interface EngineStatus {
  port: EnginePort;
  engine: string;
  state: "up" | "down" | "unknown";
  /** Milliseconds that it took to answer; null when it did not. */
  latency_ms: number | null;
  /** Its release; null if unknown. */
  version: string | null;
  cause: string | null;
}

/** Milliseconds within which an engine has to answer. */
export const engineTimeoutMs = 2_000;

/** An engine waits longer for its answer, so that it is we who say that there was none. */
const maxWaitMs = 10_000;

type EngineDeps = Pick<Context, "db" | "events" | "graph" | "cache" | "storage" | "clock">;

/** The status of each engine; they are probed independently. */
export function engineGlances(context: EngineDeps): () => Promise<EngineStatus[]> {
  const { db, events, graph, cache, storage, clock } = context;
  const probes = [
    probeOf(
      "metadata",
      () => "postgres",
      async () => (await db.query(versionStatement))[0]!.version,
    ),
    probeOf("event-log", () => events.engine, pingWithVersion(events)),
    probeOf("graph", () => graph.engine, pingWithVersion(graph)),
    probeOf("cache", () => cache.engine, pingWithVersion(cache)),
    // An object that nobody put: removing it does nothing, and takes the engine and the account.
    probeOf("storage", () => storage.engine, () => storage.delete(crypto.randomUUID())),
  ];
  return () => Promise.all(probes.map((probe) => probe()));

  function probeOf(
    port: EnginePort,
    name: () => string,
    readVersion: () => Promise<string | undefined | void>,
  ) {
    const seen = new CachedProbe({ read: readVersion, timeoutMs: engineTimeoutMs, clock });
    return async (): Promise<EngineStatus> => {
      const engine = name();
      const found = await seen.probe();
      if (!found.known) {
        const state = found.failed ? "down" : "unknown";
        return { port, engine, state, latency_ms: null, version: null, cause: found.cause };
      }
      const latency_ms = Math.round(found.ms * 10) / 10;
      return { port, engine, state: "up", latency_ms, version: found.value ?? null, cause: null };
    };
  }
}

interface PingTarget {
  ping(timeoutMs: number): Promise<void>;
  version?(timeoutMs: number): Promise<string>;
}

/** Milliseconds to wait for the release of an engine that responds; one that has just started is slow. */
const releaseMs = 500;

/** A request for the release of an engine, undefined while it is unknown; it is read once. */
function pingWithVersion(engine: PingTarget): () => Promise<string | undefined> {
  let release: string | undefined;
  const readVersion = async () => void (release = await engine.version?.(maxWaitMs));
  return async () => {
    await engine.ping(maxWaitMs).catch((error) => {
      release = undefined;
      throw error;
    });
    const late = () => new Error("the release is reported later");
    if (release === undefined) await withTimeout(readVersion(), releaseMs, late).catch(() => {});
    return release;
  };
}

/** Release of PostgreSQL: `18.4`, without what its builder adds. */
const versionStatement = plannedEachTime<{ version: string }>("server-version")`
  SELECT split_part(current_setting('server_version'), ' ', 1) AS version`;
