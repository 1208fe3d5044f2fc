import { otherNames } from "./dataset-events.ts";
import type { DatasetState, Keys } from "./model.ts";
import { compare, joinDataset } from "./states.ts";

/** A statement that two names mean one dataset. */
export interface AliasLink {
  /** The table, the dataset that has both names, or the name since a RENAME. */
  from: string;
  /** The location, the other name, or the name before a RENAME. */
  to: string;
  kind: "location" | "name" | "rename";
  t: number;
  h: string;
}

/** Maximum number of names of one dataset. */
export const maxGroup = 50;

/** The other names of a dataset. A table and its location may each name the other. */
export function linksOf(key: string, state: DatasetState, keys: Keys): AliasLink[] {
  const links: AliasLink[] = [];
  const facet = state.facets.symlinks;
  for (const { type, ...name } of otherNames(facet?.v ?? undefined)) {
    const other = keys.dataset(name);
    const { t, h } = facet!;
    if (type === "LOCATION") links.push({ from: key, to: other, kind: "location", t, h });
    else if (type === "TABLE") links.push({ from: other, to: key, kind: "location", t, h });
    else links.push({ from: key, to: other, kind: "name", t, h });
  }
  const { moved } = state;
  if (moved && !isUsedSince(state, moved.t)) {
    links.push({ from: moved.key, to: key, kind: "rename", t: moved.t, h: "" });
  }
  return links.filter(({ from, to }) => from !== to);
}

/**
 * Whether a name that a RENAME took away at `t` is in use again: an event names it later, or it came by a RENAME or
 * the symlinks of another dataset no earlier. It then means another dataset than the one that was renamed.
 */
function isUsedSince({ seen, arrived, linked }: DatasetState, t: number): boolean {
  return (seen ?? -Infinity) > t || (arrived ?? -Infinity) >= t || (linked ?? -Infinity) >= t;
}

/** Why a statement about names does not count. */
export interface AliasWarning {
  reason: "location_shared" | "too_many_names";
  key: string;
}

export interface Aliases {
  /** The members of each group of two and more, sorted; the groups are disjoint. */
  groups: string[][];
  /** Keys that some standing link calls a table, or a location. */
  tables: Set<string>;
  locations: Set<string>;
  /** Keys that a RENAME took away from their dataset. */
  former: Set<string>;
  warnings: AliasWarning[];
}

/** Newest first, in one order whatever the order of `links`. */
function newestFirst(a: AliasLink, b: AliasLink): number {
  return b.t - a.t || compare(b.h, a.h) || compare(a.from, b.from) || compare(a.to, b.to) ||
    compare(a.kind, b.kind);
}

/**
 * Groups names that mean one dataset. A table is where the newest statement says it is; of several
 * tables at one location only the newest counts; a group of `maxGroup` names takes no more.
 */
export function aliasesOf(links: AliasLink[]): Aliases {
  const warnings: AliasWarning[] = [];
  const placed = validLocations(links.filter(({ kind }) => kind === "location"), warnings);
  const names = links.filter(({ kind }) => kind !== "location");
  const groups = new Groups();
  for (const link of [...placed, ...names].sort((a, b) => newestFirst(b, a))) {
    if (!groups.join(link.from, link.to)) {
      warnings.push({ reason: "too_many_names", key: link.from });
    }
  }
  return {
    groups: groups.all(),
    tables: new Set(placed.map(({ from }) => from)),
    locations: new Set(placed.map(({ to }) => to)),
    former: new Set(names.filter(({ kind }) => kind === "rename").map(({ to }) => to)),
    warnings,
  };
}

function validLocations(links: AliasLink[], warnings: AliasWarning[]): AliasLink[] {
  const byTable = new Map<string, AliasLink>();
  for (const link of [...links].sort(newestFirst)) {
    if (!byTable.has(link.from)) byTable.set(link.from, link);
  }
  const byLocation = new Map<string, AliasLink>();
  for (const link of [...byTable.values()].sort(newestFirst)) {
    if (!byLocation.has(link.to)) byLocation.set(link.to, link);
    else warnings.push({ reason: "location_shared", key: link.from });
  }
  return [...byLocation.values()];
}

/** Disjoint sets of names, each of at most `maxGroup`. */
class Groups {
  readonly #of = new Map<string, Set<string>>();

  /** False when the two are too many together. */
  join(a: string, b: string): boolean {
    const [left, right] = [this.#find(a), this.#find(b)];
    if (left === right) return true;
    if (left.size + right.size > maxGroup) return false;
    for (const each of right) {
      left.add(each);
      this.#of.set(each, left);
    }
    return true;
  }

  all(): string[][] {
    const groups = [...new Set(this.#of.values())].filter((group) => group.size > 1);
    return groups.map((group) => [...group].sort());
  }

  #find(key: string): Set<string> {
    let group = this.#of.get(key);
    if (!group) this.#of.set(key, group = new Set([key]));
    return group;
  }
}

/** A member of a group, as the catalogue knows it. */
export interface Member {
  key: string;
  /** Id of the entity that a collector created for it; null when there is none. */
  id: number | null;
}

/**
 * The member that stands for its group: catalogued > table > location > one that was renamed, then the older, then by
 * key. What was renamed does not stand even if catalogued, or the table that has its place would be deleted.
 */
export function canonicalOf(
  members: Member[],
  { tables, locations, former }: Pick<Aliases, "tables" | "locations" | "former">,
): string {
  const rank = ({ key, id }: Member) => {
    if (former.has(key)) return 4;
    return id !== null ? 0 : tables.has(key) ? 1 : locations.has(key) ? 3 : 2;
  };
  const [first] = [...members].sort((a, b) =>
    rank(a) - rank(b) || (a.id ?? Infinity) - (b.id ?? Infinity) || compare(a.key, b.key)
  );
  return first!.key;
}

/** What is known of a group by all of its names. A DROP of a name that it no longer has does not apply to it. */
export function joinedState(
  members: { key: string; state: DatasetState }[],
  { former }: Pick<Aliases, "former">,
): DatasetState {
  return members
    .map(({ key, state }) => former.has(key) ? { ...state, dropped: null } : state)
    .reduce(joinDataset);
}
