import type { JobState } from "./model.ts";
import { compare } from "./states.ts";

/** A job and what it says of its parent. */
interface JobLink {
  key: string;
  parent: JobState["parent"];
}

/** Maximum number of steps up from a job that are looked at. */
export const maxAncestors = 64;

/**
 * The parent of each job that has one: its newest, unless that is itself; of a cycle, the newest link
 * does not count. `jobs` holds the ancestors of each requested job.
 */
export function parentsOf(jobs: Iterable<JobLink>): Map<string, string> {
  const links = new Map<string, JobLink & { parent: NonNullable<JobState["parent"]> }>();
  for (const { key, parent } of jobs) {
    if (parent && parent.v.key !== key) links.set(key, { key, parent });
  }
  const dropped = new Set<string>();
  const settled = new Set<string>();
  for (const start of links.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let key: string | undefined = start;
    while (key !== undefined && links.has(key) && !settled.has(key) && !onPath.has(key)) {
      path.push(key);
      onPath.add(key);
      key = links.get(key)!.parent.v.key;
    }
    if (key !== undefined && onPath.has(key)) {
      dropped.add(newestLink(path.slice(path.indexOf(key)).map((each) => links.get(each)!)));
    }
    for (const each of path) settled.add(each);
  }
  const parents = new Map<string, string>();
  for (const { key, parent } of links.values()) {
    if (!dropped.has(key)) parents.set(key, parent.v.key);
  }
  return parents;
}

function newestLink(cycle: (JobLink & { parent: NonNullable<JobState["parent"]> })[]): string {
  const [newest] = cycle.sort((a, b) => b.parent.t - a.parent.t || compare(a.key, b.key));
  return newest!.key;
}

/** A job that names the parent. */
export interface Child {
  key: string;
  /** When it last had an event. */
  seen: number;
}

/** Maximum number of members of a parent. */
export const maxChildren = 10_000;

/** The newest children that were seen within `ttlMs`, sorted by key, and when the first of them leaves. */
export function currentChildren(
  children: Child[],
  { now, ttlMs }: { now: number; ttlMs: number | null },
): { keys: string[]; dueAt: number | null } {
  const current = children.filter(({ seen }) => ttlMs === null || seen + ttlMs > now)
    .sort((a, b) => b.seen - a.seen || compare(a.key, b.key)).slice(0, maxChildren);
  const oldest = current.at(-1);
  return {
    keys: current.map(({ key }) => key).sort(),
    dueAt: ttlMs === null || !oldest ? null : oldest.seen + ttlMs,
  };
}
