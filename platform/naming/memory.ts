import type { Clock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ShortCache } from "#kit/short-cache.ts";
import type { ResolvedName } from "./openlineage/model.ts";

/** Milliseconds for which answers of the catalogue about names are cached. */
const ttlMs = 60_000;
/** Maximum number of systems whose data sources are cached. */
const maxSystems = 100;
/** Maximum number of CATRNs whose children are cached. */
const maxPrefixes = 5_000;
/** Maximum number of names whose resolution is cached. */
export const maxResolved = 20_000;

/** Maximum number of cached answers. */
type ResultCache<V> = Pick<ShortCache<V>, "get" | "peek">;

/** What was looked up to find names. */
export interface FindingMemory {
  /** CATRNs of data sources, by their system. */
  sources: ResultCache<string[]>;
  /** Segments that follow a CATRN, by it. */
  children: ResultCache<string[]>;
}

/** What was looked up for names within the last minute, by one process. */
export interface NamingMemory extends FindingMemory {
  /** Names of OpenLineage, by namespace and name. */
  resolved: ResultCache<ResolvedName>;
}

/** An empty memory; each process has one for each `user`, under whose name it is measured. */
export function namingMemory(
  given: { clock: Clock; metrics: Metrics },
  user = "naming",
): NamingMemory {
  const cache = <V>(name: string, maxEntries: number) =>
    new ShortCache<V>({ ...given, ttlMs: ttlMs, maxEntries, name });
  return {
    sources: cache(`${user}-sources`, maxSystems),
    children: cache(`${user}-children`, maxPrefixes),
    resolved: cache(`${user}-resolved`, maxResolved),
  };
}

const none: ResultCache<never> = { get: (_, fetch) => fetch(), peek: () => undefined };

/** Keeps nothing. */
export const noMemory: NamingMemory = { sources: none, children: none, resolved: none };

/** Answers for all keys, in their order; those that are not kept are read at once. `read` answers each key. */
export async function recalled<V>(
  memory: ResultCache<V>,
  keys: readonly string[],
  read: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
): Promise<V[]> {
  const cached = keys.map((key) => memory.peek(key));
  const missing = [...new Set(keys.filter((_, at) => cached[at] === undefined))];
  const answers = missing.length === 0 ? new Map<string, V>() : read(missing);
  return await Promise.all(
    keys.map((key, at) => cached[at] ?? memory.get(key, async () => (await answers).get(key)!)),
  );
}
