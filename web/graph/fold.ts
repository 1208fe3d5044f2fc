import { type Adjacency, adjacencyOf } from "#web/graph/adjacency.ts";
import { folded } from "#web/graph/folded.ts";
import { type Box, type Draft, type Lines, maxSiblings } from "#web/graph/draft.ts";
import type { Model } from "#web/graph/model.ts";

/**
 * Folds single entities that have the same parents, children, classes and source where they are more than `max`, and
 * their fold is not in `unfolded`. Roots, entities without neighbours and those that feed themselves are never folded.
 */
export function foldSiblings(
  model: Model,
  draft: Draft,
  unfolded: ReadonlySet<string>,
  max = maxSiblings,
): Draft {
  const families = siblings(model, draft, max);
  if (families.length === 0) return draft;
  const foldOf = new Map<number, Box>();
  const taken = new Set<string>();
  for (const { boxes, signature } of families) {
    const key = unusedKey(`fs${hash(signature)}`, taken);
    if (unfolded.has(key)) continue;
    const members = boxes.map((at) => draft.boxes[at]!.members[0]!);
    const fold: Box = { key, members, reason: "siblings" };
    for (const at of boxes) foldOf.set(at, fold);
  }
  return folded(draft, (at) => foldOf.get(at));
}

interface Family {
  boxes: number[];
  /** What the siblings have in common, in words that do not change with the rest of the model. */
  signature: string;
}

function siblings(model: Model, { boxes, lines }: Draft, max: number): Family[] {
  const pairs = lines.pairs();
  const up = adjacencyOf(boxes.length, pairs, "to");
  const down = adjacencyOf(boxes.length, pairs, "from");
  const families = new Map<string, number[]>();
  for (const at of manyAlike(candidates(model, boxes, lines), up, down, max)) {
    const node = model.nodes.get(boxes[at]!.members[0]!)!;
    const kind = `${[...node.classes].sort()}|${node.source?.id ?? ""}`;
    const change = model.changes?.ofNode(node.id) ?? "";
    const alike = `${kind}|${sortedEnds(up, at)}|${sortedEnds(down, at)}|${change}`;
    const family = families.get(alike);
    if (family) family.push(at);
    else families.set(alike, [at]);
  }
  const keys = (ends: Uint32Array) => Array.from(ends, (end) => boxes[end]!.key).sort().join();
  return [...families].filter(([, alike]) => alike.length > max).map(([name, alike]) => {
    const kind = name.split("|", 2).join("|");
    const near = [up, down].map((side) => keys(sortedEnds(side, alike[0]!)));
    return { boxes: alike, signature: `${kind}|${near.join("|")}` };
  });
}

/** Single entities that may be folded. */
function candidates(model: Model, boxes: Box[], lines: Lines): Uint32Array {
  const never = new Uint8Array(boxes.length);
  const linked = new Uint8Array(boxes.length);
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [lines.from[at]!, lines.to[at]!];
    linked[from] = linked[to] = 1;
    if (from === to) never[from] = 1;
  }
  const roots = new Set(model.roots);
  const found = new Uint32Array(boxes.length);
  let count = 0;
  for (const [at, { reason, members }] of boxes.entries()) {
    if (!reason && linked[at] && !never[at] && !roots.has(members[0]!)) found[count++] = at;
  }
  return found.subarray(0, count);
}

/** Only boxes that more than `max` share a hash of their neighbours with are worth a closer look. */
function manyAlike(boxes: Uint32Array, up: Adjacency, down: Adjacency, max: number): Uint32Array {
  const hashes = boxes.map((at) => (Math.imul(endsHash(up, at), 31) + endsHash(down, at)) >>> 0);
  const counts = new Map<number, number>();
  for (const each of hashes) counts.set(each, (counts.get(each) ?? 0) + 1);
  return boxes.filter((_, at) => counts.get(hashes[at]!)! > max);
}

/** The same for the same ends in any order. */
function endsHash({ offsets, ends }: Adjacency, at: number): number {
  let sum = 0;
  for (let i = offsets[at]!; i < offsets[at + 1]!; i++) {
    const mixed = Math.imul(ends[i]! + 1, 0x9e3779b1);
    sum = (sum + (mixed ^ (mixed >>> 15))) | 0;
  }
  return sum;
}

function sortedEnds(adjacency: Adjacency, at: number): Uint32Array {
  return adjacency.ends.slice(adjacency.offsets[at]!, adjacency.offsets[at + 1]!).sort();
}

function unusedKey(key: string, taken: Set<string>): string {
  let free = key;
  for (let more = 2; taken.has(free); more++) free = `${key}-${more}`;
  taken.add(free);
  return free;
}

/** 64 bits of a text for a key in a URL (two FNV-1a hashes). */
function hash(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + at), 0x85ebca6b);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
