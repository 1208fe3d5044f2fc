import fc from "fast-check";
import { expect, it } from "vitest";
import type { ApiLineage } from "#web/graph/answers.ts";
import { withinHops } from "#web/graph/hops.ts";
import { answer } from "#web/graph/testing/models.ts";

type Pair = [number, number];

/** An answer in which the entities `jobs` are jobs. */
function answerWith(jobs: number[], pairs: Pair[], depth: number): ApiLineage {
  const lineage = answer(pairs, 0, "downstream", depth);
  for (const node of lineage.downstream!.nodes) {
    if (jobs.includes(node.id)) node.type = { name: "JOB" };
  }
  return lineage;
}
const ids = (lineage: ApiLineage) =>
  lineage.downstream!.nodes.map(({ id }) => id).sort((a, b) => a - b);

// 0 → job 10 → 1 → job 11 → job 12 → 2 → 3
const chain: Pair[] = [[0, 10], [10, 1], [1, 11], [11, 12], [12, 2], [2, 3]];

it("counts hops between assets, whatever jobs are on the way", () => {
  const lineage = answerWith([10, 11, 12], chain, 9);
  expect(ids(withinHops(lineage, "downstream", 1).lineage)).toEqual([0, 1, 10]);
  expect(ids(withinHops(lineage, "downstream", 2).lineage)).toEqual([0, 1, 2, 10, 11, 12]);
  expect(ids(withinHops(lineage, "downstream", 3).lineage)).toEqual(ids(lineage));
});

it("says which entities lost neighbours, and whether the walk ended too early", () => {
  const whole = withinHops(answerWith([10, 11, 12], chain, 9), "downstream", 2);
  expect([...whole.cut]).toEqual([2]);
  expect(whole.isShort).toBe(false);
  const early = withinHops(answerWith([10, 11, 12], chain, 4), "downstream", 2);
  expect(early.isShort).toBe(true);
});

it("begins with the members of a group", () => {
  const lineage = answerWith([], [[1, 2], [2, 3]], 9);
  const [one, two, three] = [1, 2, 3].map((id) => ({
    ...lineage.root,
    id,
    group_id_list: id === 1 ? [0] : [],
  }));
  lineage.downstream = {
    nodes: [one!, two!, three!],
    edges: [{ source_id: 1, target_id: 2 }, { source_id: 2, target_id: 3 }],
    groups: [],
  };
  expect(ids(withinHops(lineage, "downstream", 1).lineage)).toEqual([1, 2]);
});

it("has, without jobs, what is within so many edges", () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.nat(12), fc.nat(12)), {
    selector: String,
    maxLength: 40,
  });
  fc.assert(fc.property(pairs, fc.integer({ min: 1, max: 4 }), (all, hops) => {
    const cut = withinHops(answer(all, 0, "downstream", 99), "downstream", hops).lineage;
    const walked = answer(all, 0, "downstream", hops);
    expect(ids(cut)).toEqual([...new Set(ids(walked))]);
  }));
});
