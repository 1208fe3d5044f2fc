import { adjacencyOf } from "#web/graph/adjacency.ts";
import { cyclesOf, depthsOf } from "#web/graph/depths.ts";
import type { Box, Draft } from "#web/graph/draft.ts";
import { folded } from "#web/graph/group-folds.ts";
import { groupChains } from "#web/graph/groups.ts";
import type { Model } from "#web/graph/model.ts";
import { distances } from "#web/graph/walks.ts";
import { t } from "#web/messages/text.ts";

/** Frames are divided into the groups within them while there are fewer than `frames`, and they have more than `members`. */
const limits = { frames: 30, members: 40 } as const;

/** A frame with more members, or from which a way leads out and back, is drawn in parts: at most so many from left to right. */
const maxMembers = 400;
const maxParts = 8;

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
  const parts = partsOf(keys, depthsOf(boxes.length, pairs), dividedIn(draft, keys, pairs));
  const folds = new Map<string, Box>();
  for (const [at, key] of parts.entries()) {
    if (key === undefined || opened.has(key)) continue;
    const fold = folds.get(key);
    if (fold) fold.members.push(...boxes[at]!.members);
    else {
      const members = [...boxes[at]!.members];
      folds.set(key, { key, members, reason: "frame", label: places[at]!.label });
    }
  }
  return folded(draft, (at) => {
    const fold = folds.get(parts[at] ?? "");
    return fold && fold.members.length > 1 ? fold : undefined;
  });
}

/** A frame of the map, by a key that addresses take. */
interface FramePlace {
  key: string;
  label: string;
}

/** The frame of each box: the largest ones are divided first, as long as few frames come of it. */
function placesOf(model: Model, boxes: readonly Box[]): FramePlace[] {
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
    if (frames.size >= limits.frames) break;
    const divisible = [...frames.values()].filter((within) =>
      within.length > limits.members && within.some((at) => chains[at]!.length > levels[at]!)
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
  const isRoot = new Set(model.roots);
  const roots = boxes.flatMap(({ members }, at) => (isRoot.has(members[0]!) ? [at] : []));
  const above = distances(boxes.length, roots, [adjacencyOf(boxes.length, pairs, "to")]);
  const below = distances(boxes.length, roots, [adjacencyOf(boxes.length, pairs, "from")]);
  return boxes.map((_, at) => {
    const [up, down] = [above[at]! >= 0, below[at]! >= 0];
    if (above[at] === 0) return "r";
    if (up && down) return "c";
    return up ? "u" : down ? "d" : "o";
  });
}

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
  const down = adjacencyOf(indexes.size, Uint32Array.from(between), "from");
  const cycles = cyclesOf(indexes.size, down);
  const sizes = new Uint32Array(indexes.size);
  for (const cycle of cycles) sizes[cycle]!++;
  const members = new Uint32Array(indexes.size);
  for (const frame of within) members[frame]!++;
  return new Set(
    [...indexes].filter(([, at]) => sizes[cycles[at]!]! > 1 || members[at]! > maxMembers)
      .map(([key]) => key),
  );
}

/** Keys of parts from left to right; all frames are divided at the same depths, so that parts lead back as little as may be. */
function partsOf(
  keys: readonly (string | undefined)[],
  depths: Uint32Array,
  divided: ReadonlySet<string>,
): (string | undefined)[] {
  const deepest = depths.reduce((max, depth) => Math.max(max, depth), 0);
  const width = Math.ceil((deepest + 1) / maxParts);
  return keys.map((key, at) =>
    key === undefined || !divided.has(key) ? key : `${key}${Math.floor(depths[at]! / width)}`
  );
}
