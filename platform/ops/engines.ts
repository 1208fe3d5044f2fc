import type { Context } from "#platform/context.ts";
import { withTimeout } from "#kit/retry.ts";
import { serverVersion } from "#platform/ops/engines.queries.ts";
import { Glance } from "#platform/ops/glance.ts";

/** What a process needs to do its work, by the port that it is reached through. */
export const enginePorts = ["metadata", "event-log", "graph", "cache", "storage"] as const;
export type EnginePort = (typeof enginePorts)[number];

/** How an engine stands: `unknown` when it says nothing, so that nobody can tell whether it is down. */
export interface EngineStanding {
  port: EnginePort;
  engine: string;
  state: "up" | "down" | "unknown";
  /** Milliseconds that it took to answer; null when it did not. */
  latency_ms: number | null;
  /** Its release, where it tells; null otherwise. */
  version: string | null;
  cause: string | null;
}

/** Milliseconds within which an engine has to answer. */
export const engineTimeoutMs = 2_000;

/** An engine waits longer for its answer, so that it is we who say that there was none. */
const patienceMs = 10_000;

type Tools = Pick<Context, "db" | "events" | "graph" | "cache" | "storage" | "clock">;

/** Tells how each engine stands; each is asked by itself, so that none waits for another. */
export function engineGlances(context: Tools): () => Promise<EngineStanding[]> {
  const { db, events, graph, cache, storage, clock } = context;
  const looks = [
    glance("metadata", () => "postgres", () => serverVersion(db)),
    glance("event-log", () => events.engine, telling(events)),
    glance("graph", () => graph.engine, telling(graph)),
    glance("cache", () => cache.engine, telling(cache)),
    // An object that nobody put: removing it does nothing, and takes the engine and the account.
    glance(
      "storage",
      () => storage.engine,
      () => storage.delete(crypto.randomUUID()).then(() => undefined),
    ),
  ];
  return () => Promise.all(looks.map((look) => look()));

  function glance(port: EnginePort, name: () => string, ask: () => Promise<string | undefined>) {
    const seen = new Glance({ ask, timeoutMs: engineTimeoutMs, clock });
    return async (): Promise<EngineStanding> => {
      const engine = name();
      const found = await seen.look();
      if (!found.known) {
        const state = found.failed ? "down" : "unknown";
        return { port, engine, state, latency_ms: null, version: null, cause: found.cause };
      }
      const { value: version = null, ms } = found;
      return {
        port,
        engine,
        state: "up",
        latency_ms: Math.round(ms * 10) / 10,
        version,
        cause: null,
      };
    };
  }
}

interface Told {
  ping(timeoutMs: number): Promise<void>;
  version?(timeoutMs: number): Promise<string>;
}

/** Milliseconds that an engine which answers has to tell its release; one that has just begun takes its time. */
const releaseMs = 500;

/** A question whose answer is the release of an engine, undefined while it does not tell; it is asked for that once. */
function telling(engine: Told): () => Promise<string | undefined> {
  let release: string | undefined;
  const ask = async () => void (release = await engine.version?.(patienceMs));
  return async () => {
    await engine.ping(patienceMs).catch((error) => {
      release = undefined;
      throw error;
    });
    const late = () => new Error("the release is told later");
    if (release === undefined) await withTimeout(ask(), releaseMs, late).catch(() => {});
    return release;
  };
}
