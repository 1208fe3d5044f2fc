import { type Box, type Draft, Lines } from "#web/graph/draft.ts";

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
