import { adjacencyOf } from "#web/graph/adjacency.ts";
import { type Box, type Draft, Lines, rootBoxes } from "#web/graph/draft.ts";
import { groupChains, groupFolds } from "#web/graph/groups.ts";
import type { Model } from "#web/graph/model.ts";
import { cyclesOf, depthsOf, distances } from "#web/graph/walks.ts";
import { t } from "#web/messages/text.ts";

/**
 * Draws the members of closed groups as one box each. A group whose one box would need lines both ways is drawn in
 * several, in the order of the data, so that no line says what is not so: `fg12`, `fg12-1` …
 */
export function foldGroups(
  model: Model,
  draft: Draft,
  isOpen: (group: number) => boolean,
): Draft {
  const groupOf = groupFolds(model, isOpen);
  const groups = draft.boxes.map(({ members }) => groupOf(members[0]!));
  if (groups.every((group) => group === undefined)) return draft;
  const foldedBy = (keys: readonly (string | undefined)[]) =>
    folded(draft, foldsBy(draft, keys, () => ({ reason: "group" })));
  const whole = foldedBy(groups.map((group) => (group === undefined ? group : `fg${group}`)));
  const divided = foldsInCycles(whole);
  if (divided.size === 0) return whole;
  const depths = depthsOf(draft.boxes.length, draft.lines.pairs());
  return foldedBy(groupParts(groups, depths, divided));
}

/** A fold for each key, with what `factsOf` its first box says of it; boxes without a key stay. */
function foldsBy(
  { boxes }: Draft,
  keys: readonly (string | undefined)[],
  factsOf: (at: number) => Pick<Box, "reason" | "label">,
) {
  const folds = new Map<string, Box>();
  for (const [at, key] of keys.entries()) {
    if (key === undefined) continue;
    const fold = folds.get(key);
    if (fold) fold.members.push(...boxes[at]!.members);
    else folds.set(key, { key, members: [...boxes[at]!.members], ...factsOf(at) });
  }
  return (at: number) => folds.get(keys[at] ?? "");
}

/** Keys of the folds from which a way leads out and back. */
function foldsInCycles({ boxes, lines }: Draft): Set<string> {
  const isInCycle = inCycles(boxes.length, lines.pairs());
  const found = boxes.filter(({ reason }, at) => reason && isInCycle(at));
  return new Set(found.map(({ key }) => key));
}

/** Whether a way leads out of a node and back. */
function inCycles(nodes: number, pairs: Uint32Array): (node: number) => boolean {
  const cycles = cyclesOf(nodes, adjacencyOf(nodes, pairs, "from"));
  const sizes = new Uint32Array(nodes);
  for (const cycle of cycles) sizes[cycle]!++;
  return (node) => sizes[cycles[node]!]! > 1;
}

/** The first part of a group keeps the key of the whole. */
function groupParts(
  groups: readonly (number | undefined)[],
  depths: Uint32Array,
  divided: ReadonlySet<string>,
): (string | undefined)[] {
  const levels = new Map<string, Set<number>>();
  for (const [at, group] of groups.entries()) {
    const key = `fg${group}`;
    if (divided.has(key)) levels.set(key, (levels.get(key) ?? new Set()).add(depths[at]!));
  }
  const places = new Map(
    [...levels].map(([key, found]) => [key, [...found].sort((a, b) => a - b)]),
  );
  return groups.map((group, at) => {
    if (group === undefined) return undefined;
    const key = `fg${group}`;
    const place = places.get(key)?.indexOf(depths[at]!) ?? 0;
    return place === 0 ? key : `${key}-${place}`;
  });
}

/**
 * The draft with the box that `foldOf` names in place of each box; one that it names none for stays. A fold is where its
 * first box was. Lines within a fold vanish, those between the same boxes are one.
 */
function folded({ boxes, lines }: Draft, foldOf: (at: number) => Box | undefined): Draft {
  const remaining: Box[] = [];
  const indexes = new Map<Box, number>();
  const place = boxes.map((box, at) => {
    const drawn = foldOf(at) ?? box;
    if (!indexes.has(drawn)) indexes.set(drawn, remaining.push(drawn) - 1);
    return indexes.get(drawn)!;
  });
  const drawn = new Lines();
  const inside: number[] = [];
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [place[lines.from[at]!]!, place[lines.to[at]!]!];
    if (from !== to || !remaining[from]!.reason) {
      drawn.add(from, to, lines.jobs[at], lines.weights[at]);
    } else if (lines.jobs[at]!.length > 0) inside.push(at);
  }
  // Boxes of one fold share the jobs of their lines.
  for (let at = 0; at < drawn.count; at++) drawn.jobs[at] = [...new Set(drawn.jobs[at])];
  // A job between members of one fold is in the fold, unless another line has it.
  const shown = new Set(inside.length > 0 ? drawn.jobs.flat() : []);
  for (const at of inside) {
    for (const job of lines.jobs[at]!) {
      if (shown.has(job)) continue;
      shown.add(job);
      remaining[place[lines.from[at]!]!]!.members.push(job);
    }
  }
  return { boxes: remaining, lines: drawn };
}

/**
 * A drawing of many boxes as a map: each entity is in the frame of its group, else of its source, on its side of the roots.
 * Roots, and what is in a frame of `opened`, have boxes of their own. Lines are bundled and count what they stand for.
 */
export function mapOf(model: Model, draft: Draft, opened: ReadonlySet<string>): Draft {
  const { boxes, lines } = draft;
  const pairs = lines.pairs();
  const places = placesOf(model, boxes);
  const sides = sidesOf(model, draft, pairs);
  const keys = places.map((place, at) =>
    sides[at] === "r" ? undefined : `${place.key}-${sides[at]}`
  );
  const parts = frameParts(keys, depthsOf(boxes.length, pairs), dividedIn(draft, keys, pairs));
  const closed = parts.map((key) => (key !== undefined && opened.has(key) ? undefined : key));
  const foldOf = foldsBy(draft, closed, (at) => ({ reason: "frame", label: places[at]!.label }));
  return folded(draft, (at) => {
    const fold = foldOf(at);
    return fold && fold.members.length > 1 ? fold : undefined;
  });
}

/** Frames are divided into the groups within them while there are fewer than `frames`, and they have more than `members`. */
const divisionLimits = { frames: 30, members: 40 } as const;

/** The frame of each box, by a key that addresses take: the largest ones are divided first, as long as few frames result. */
function placesOf(model: Model, boxes: readonly Box[]): { key: string; label: string }[] {
  const chainOf = groupChains(model);
  const chains = boxes.map(({ members }) => chainOf(members[0]!));
  const levels = chains.map((chain) => Math.min(chain.length, 1));
  const keyOf = (at: number) => {
    const group = chains[at]![levels[at]! - 1];
    const source = model.nodes.get(boxes[at]!.members[0]!)!.source;
    return group !== undefined ? `fmg${group}` : source ? `fms${source.id}` : "fmx";
  };
  let keys = boxes.map((_, at) => keyOf(at));
  for (;;) {
    const frames = Map.groupBy(boxes.keys(), (at) => keys[at]!);
    if (frames.size >= divisionLimits.frames) break;
    const divisible = [...frames.values()].filter((within) =>
      within.length > divisionLimits.members &&
      within.some((at) => chains[at]!.length > levels[at]!)
    ).sort((a, b) => b.length - a.length);
    if (!divisible[0]) break;
    for (const at of divisible[0]) levels[at] = Math.min(levels[at]! + 1, chains[at]!.length);
    keys = boxes.map((_, at) => keyOf(at));
  }
  return boxes.map(({ members }, at) => {
    const group = model.groups.get(chains[at]![levels[at]! - 1] ?? Number.NaN);
    const source = model.nodes.get(members[0]!)!.source;
    return { key: keys[at]!, label: group?.name ?? source?.name ?? t("graph.noSource") };
  });
}

/** Where each box is seen from the roots: one itself, up- or downstream, both in a cycle, or otherwise connected. */
function sidesOf(
  model: Model,
  { boxes }: Draft,
  pairs: Uint32Array,
): ("r" | "u" | "d" | "c" | "o")[] {
  const roots = rootBoxes(model, boxes);
  const above = distances(boxes.length, roots, [adjacencyOf(boxes.length, pairs, "to")]);
  const below = distances(boxes.length, roots, [adjacencyOf(boxes.length, pairs, "from")]);
  return boxes.map((_, at) => {
    const [up, down] = [above[at]! >= 0, below[at]! >= 0];
    if (above[at] === 0) return "r";
    if (up && down) return "c";
    return up ? "u" : down ? "d" : "o";
  });
}

/** A frame with more members, or from which a way leads out and back, is drawn in parts: at most so many from left to right. */
const maxFrameMembers = 400;
const maxFrameParts = 8;

/** Frames from which a way leads out and back, and those with very many members. */
function dividedIn(
  { boxes }: Draft,
  keys: readonly (string | undefined)[],
  pairs: Uint32Array,
): Set<string> {
  const indexes = new Map<string, number>();
  const indexOf = (at: number) => {
    const key = keys[at] ?? `e${at}`;
    const known = indexes.get(key) ?? indexes.size;
    indexes.set(key, known);
    return known;
  };
  const within = boxes.map((_, at) => indexOf(at));
  const between: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const [from, to] = [within[pairs[at]!]!, within[pairs[at + 1]!]!];
    if (from !== to) between.push(from, to);
  }
  const isInCycle = inCycles(indexes.size, Uint32Array.from(between));
  const members = new Uint32Array(indexes.size);
  for (const frame of within) members[frame]!++;
  return new Set(
    [...indexes].filter(([, at]) => isInCycle(at) || members[at]! > maxFrameMembers)
      .map(([key]) => key),
  );
}

/** Keys of parts from left to right; all frames are divided at the same depths, so that parts lead back as little as may be. */
function frameParts(
  keys: readonly (string | undefined)[],
  depths: Uint32Array,
  divided: ReadonlySet<string>,
): (string | undefined)[] {
  const deepest = depths.reduce((max, depth) => Math.max(max, depth), 0);
  const width = Math.ceil((deepest + 1) / maxFrameParts);
  return keys.map((key, at) =>
    key === undefined || !divided.has(key) ? key : `${key}${Math.floor(depths[at]! / width)}`
  );
}
