import { adjacencyOf } from "#web/graph/adjacency.ts";
import { type Box, type Draft, Lines } from "#web/graph/draft.ts";
import { cyclesOf, depthsOf } from "#web/graph/depths.ts";
import { groupFolds } from "#web/graph/groups.ts";
import type { Model } from "#web/graph/model.ts";

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
  const whole = folded(
    draft,
    foldsBy(draft, groups.map((group) => (group === undefined ? group : `fg${group}`))),
  );
  const divided = inCycles(whole);
  if (divided.size === 0) return whole;
  const depths = depthsOf(draft.boxes.length, draft.lines.pairs());
  return folded(draft, foldsBy(draft, partKeys(groups, depths, divided)));
}

/** A fold for each key; boxes without a key stay. */
function foldsBy({ boxes }: Draft, keys: readonly (string | undefined)[]) {
  const folds = new Map<string, Box>();
  for (const [at, key] of keys.entries()) {
    if (key === undefined) continue;
    const fold = folds.get(key);
    if (fold) fold.members.push(...boxes[at]!.members);
    else folds.set(key, { key, members: [...boxes[at]!.members], reason: "group" });
  }
  return (at: number) => folds.get(keys[at] ?? "");
}

/** Keys of the folds from which a way leads out and back. */
function inCycles({ boxes, lines }: Draft): Set<string> {
  const cycles = cyclesOf(boxes.length, adjacencyOf(boxes.length, lines.pairs(), "from"));
  const sizes = new Uint32Array(boxes.length);
  for (const cycle of cycles) sizes[cycle]!++;
  const found = boxes.filter((box, at) => box.reason && sizes[cycles[at]!]! > 1);
  return new Set(found.map(({ key }) => key));
}

/** The first part of a group keeps the key of the whole. */
function partKeys(
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
export function folded({ boxes, lines }: Draft, foldOf: (at: number) => Box | undefined): Draft {
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
