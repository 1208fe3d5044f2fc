import { directGroups, homes } from "#web/graph/groups.ts";
import type { Model } from "#web/graph/model.ts";

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
