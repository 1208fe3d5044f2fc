import type { Box } from "#web/graph/draft.ts";
import { frameDepth, type Model } from "#web/graph/model.ts";

/**
 * The next group of an entity or group, from the inside outwards: the direct group with the smallest id, as the
 * server draws them. In a loop of memberships the smallest group has no next one, so that every way ends.
 */
function homes(model: Model): (id: number) => number | undefined {
  const cut = new Set<number>();
  const seen = new Set<number>();
  const next = (id: number) => (cut.has(id) ? undefined : minGroup(model, id));
  for (const start of model.groups.keys()) {
    const path = new Set<number>();
    let at: number | undefined = start;
    while (at !== undefined && !seen.has(at) && !path.has(at)) {
      path.add(at);
      at = next(at);
    }
    if (at !== undefined && path.has(at)) cut.add(minOfLoop(at, next));
    for (const id of path) seen.add(id);
  }
  return next;
}

function minOfLoop(start: number, next: (id: number) => number | undefined): number {
  let min = start;
  for (let at = next(start); at !== undefined && at !== start; at = next(at)) {
    if (at < min) min = at;
  }
  return min;
}

function minGroup(model: Model, id: number): number | undefined {
  const known = directGroups(model, id).filter((group) => model.groups.has(group));
  return known.length > 0 ? Math.min(...known) : undefined;
}

function directGroups(model: Model, id: number): readonly number[] {
  return model.nodes.get(id)?.groups ?? model.groups.get(id)?.groups ?? [];
}

/** The group that a box stands for, by the key of the box; undefined for any other box. */
export function groupOfFold(key: string): number | undefined {
  const found = /^fg(\d+)(?:-\d+)?$/.exec(key);
  return found ? Number(found[1]) : undefined;
}

/** The group that a frame of a map stands for; undefined for any other box. */
function groupOfFrame(key: string): number | undefined {
  const found = /^fmg(\d+)-/.exec(key);
  return found ? Number(found[1]) : undefined;
}

/**
 * The groups that are drawn as frames around a box, from the outside inwards: the outermost `frameDepth` that all of
 * its members are in by their homes and that have a name. Not the group that the box itself stands for.
 */
export function framesOf(model: Model): (box: Box) => number[] {
  const chainOf = groupChains(model);
  return ({ key, members, reason }) => {
    const own = reason === "group" ? groupOfFold(key) : groupOfFrame(key);
    const chains = own !== undefined ? [chainOf(own)] : members.map(chainOf);
    return common(chains).slice(0, frameDepth);
  };
}

/** Tells the named groups that an entity or group is in by its home, from the outside inwards. */
export function groupChains(model: Model): (id: number) => number[] {
  if (model.groups.size === 0) return () => [];
  const next = homes(model);
  const known = new Map<number, number[]>();
  const above = (id: number): number[] => {
    const found: number[] = [];
    for (let at = next(id); at !== undefined; at = next(at)) {
      if (!model.groups.get(at)!.hollow) found.push(at);
    }
    return found.reverse();
  };
  return (id) => {
    const chain = known.get(id) ?? above(id);
    known.set(id, chain);
    return chain;
  };
}

function common(chains: readonly number[][]): number[] {
  const [first = [], ...others] = chains;
  const end = first.findIndex((group, at) => others.some((chain) => chain[at] !== group));
  return end < 0 ? first : first.slice(0, end);
}

/** `ids` with all groups that they are directly or indirectly in. */
export function withGroupsAbove(model: Model, ids: Iterable<number>): Set<number> {
  const above = new Set(ids);
  for (const id of above) for (const group of directGroups(model, id)) above.add(group);
  return above;
}

/**
 * Tells for an entity which group stands for it: the outermost of its home chain, itself if it is a group, that is
 * not open; undefined when it stands for itself. Groups above a root, and those without a name, are always open.
 */
export function groupFolds(
  model: Model,
  isOpen: (group: number) => boolean,
): (id: number) => number | undefined {
  if (model.groups.size === 0) return () => undefined;
  const aboveRoots = withGroupsAbove(model, model.roots);
  const closed = new Set<number>();
  for (const group of model.groups.values()) {
    if (!group.hollow && !aboveRoots.has(group.id) && !isOpen(group.id)) closed.add(group.id);
  }
  const next = homes(model);
  const known = new Map<number, number | undefined>();
  const outermost = (group: number): number | undefined => {
    let found: number | undefined;
    for (let at: number | undefined = group; at !== undefined; at = next(at)) {
      if (closed.has(at)) found = at;
    }
    return found;
  };
  return (id) => {
    const home = closed.has(id) ? id : next(id);
    if (home === undefined) return undefined;
    // Members of one home share the rest of the way.
    if (!known.has(home)) known.set(home, outermost(home));
    return known.get(home);
  };
}
