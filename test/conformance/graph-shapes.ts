import { describe, expect, it } from "vitest";
import {
  ask,
  diamonds,
  type GraphUnderTest,
  seedShape,
  spelled,
  within,
} from "#test/support/engines/lineage-graph.ts";

const budget = { maxNodes: 20_000, timeoutMs: 10_000 };

/** Clauses on larger shapes, on sets of entities, and on what a graph does not hold. */
export function shapeClauses(under: () => GraphUnderTest): void {
  const seeded = async (count: number, edges: [number, number][]) => {
    const ids = await seedShape(under().db, count, edges);
    await under().settle();
    return ids;
  };

  describe("large and odd shapes", () => {
    it("walk passes 40 diamonds in bounded time, each edge once, both ways", async () => {
      const { count, edges } = diamonds(40);
      const ids = await seeded(count, edges);
      const { graph } = under();
      const down = await within(2_000, () => graph.walk(ask([ids[0]!], { depth: 1_000 })));
      const up = await within(
        2_000,
        () => graph.walk(ask([ids.at(-1)!], { depth: 80, direction: "upstream" })),
      );
      expect(down.edges).toHaveLength(160);
      expect(spelled(up.edges)).toEqual(spelled(down.edges));
      expect(down.degrees.get(ids[3]!)).toEqual({ parents: 2, children: 2 });
    });

    it("walk takes every depth of a long chain exactly, and ends where it ends", async () => {
      const ids = await seeded(301, Array.from({ length: 300 }, (_, i) => [i, i + 1]));
      for (const depth of [1, 2, 19, 20, 21, 22, 33, 64, 65, 127, 300]) {
        const walk = await under().graph.walk(ask([ids[0]!], { depth }));
        expect(walk.edges).toHaveLength(depth);
        expect(walk.truncated).toBeUndefined();
      }
      const beyond = await under().graph.walk(ask([ids[0]!], { depth: 2_147_483_647 }));
      expect(beyond.edges).toHaveLength(300);
    });

    it("walk gives a hub of 5,000 whole, and of a smaller budget all that it holds", async () => {
      const ids = await seeded(5_001, Array.from({ length: 5_000 }, (_, i) => [0, i + 1]));
      const whole = await within(3_000, () => under().graph.walk(ask([ids[0]!], { depth: 3 })));
      expect(whole.edges).toHaveLength(5_000);
      expect(whole.degrees.get(ids[0]!)).toEqual({ parents: 0, children: 5_000 });
      expect(whole.degrees.get(ids[5_000]!)).toEqual({ parents: 1, children: 0 });
      const cut = await within(
        3_000,
        () => under().graph.walk(ask([ids[0]!], { depth: 3, maxNodes: 5_000 })),
      );
      expect(new Set(cut.edges.map(([, child]) => child))).toEqual(new Set(ids.slice(1, 5_000)));
      expect(cut.degrees.get(ids[0]!)).toEqual({ parents: 0, children: 5_000 });
      expect(cut.truncated).toEqual({ reason: "nodes", at: [{ id: ids[0], remainingDepth: 3 }] });
    });

    it("walk cuts a deep answer after its last whole level", async () => {
      const ids = await seeded(1_000, Array.from({ length: 999 }, (_, i) => [i, i + 1]));
      const cut = await under().graph.walk(ask([ids[0]!], { depth: 5_000, maxNodes: 700 }));
      expect(cut.edges).toHaveLength(699);
      expect(cut.truncated).toEqual({
        reason: "nodes",
        at: [{ id: ids[699], remainingDepth: 5_000 - 699 }],
      });
    });

    it("walk that runs out of time answers whole levels and says where it stopped", async () => {
      const ids = await seeded(3_001, Array.from({ length: 3_000 }, (_, i) => [i, i + 1]));
      for (const timeoutMs of [1, 2, 4, 8, 16, 32]) {
        const walk = await under().graph.walk(ask([ids[0]!], { depth: 4_000, timeoutMs }));
        const whole = walk.edges.length;
        const prefix = ids.slice(0, whole).map((id, i): [number, number] => [id, ids[i + 1]!]);
        expect(spelled(walk.edges)).toEqual(spelled(prefix));
        const stopped = { reason: "time", at: [{ id: ids[whole], remainingDepth: 4_000 - whole }] };
        expect(walk.truncated).toEqual(whole === 3_000 ? undefined : stopped);
      }
    });

    it("walk from several roots starts at all of them, those that meet included", async () => {
      const ids = await seeded(5, [[0, 2], [1, 2], [2, 3], [3, 4]]);
      const roots = [ids[0]!, ids[1]!, ids[3]!, ids[0]!];
      const walk = await under().graph.walk(ask(roots, { depth: 1 }));
      expect(spelled(walk.edges)).toEqual(
        spelled([[ids[0]!, ids[2]!], [ids[1]!, ids[2]!], [ids[3]!, ids[4]!]]),
      );
    });

    it("walk from an entity that the graph does not hold gives nothing", async () => {
      const walk = await under().graph.walk(ask([999_999_999_999], { depth: 5 }));
      expect(walk.edges).toEqual([]);
      expect(walk.degrees.size).toBe(0);
      expect(walk.truncated).toBeUndefined();
    });
  });

  describe("sets of entities", () => {
    it("among gives all edges with both ends inside, self-loops included", async () => {
      const ids = await seeded(5, [[0, 1], [1, 2], [2, 2], [2, 3], [0, 4], [1, 0]]);
      const [a, b, c] = ids as [number, number, number];
      const found = await under().graph.among([c, a, b, a], budget);
      expect(spelled(found.edges)).toEqual(spelled([[a, b], [b, c], [c, c], [b, a]]));
      expect(found.truncated).toBeUndefined();
      expect(found.position).toBe(await under().graph.position(2_000));
    });

    it("among takes members by id when there are more than the budget, and says so", async () => {
      const ids = await seeded(4, [[0, 1], [1, 2], [2, 3]]);
      const found = await under().graph.among(ids.toReversed(), { ...budget, maxNodes: 3 });
      expect(spelled(found.edges)).toEqual(spelled([[ids[0]!, ids[1]!], [ids[1]!, ids[2]!]]));
      expect(found.truncated).toEqual({ reason: "nodes" });
    });

    it("among without members or without time is short and honest", async () => {
      const ids = await seeded(2, [[0, 1]]);
      expect((await under().graph.among([], budget)).edges).toEqual([]);
      const late = await under().graph.among(ids, { ...budget, timeoutMs: 0 });
      expect(late.edges).toEqual([]);
      expect(late.truncated).toEqual({ reason: "time" });
    });

    it("neighbours are distinct, one hop away, and never those asked for", async () => {
      const ids = await seeded(5, [[0, 2], [1, 2], [0, 1], [2, 3], [0, 0], [4, 0]]);
      const [a, b, c, , e] = ids as [number, number, number, number, number];
      expect(await under().graph.neighbours([a, b], "downstream", 2_000)).toEqual([c]);
      expect(await under().graph.neighbours([a, b], "upstream", 2_000)).toEqual([e]);
      expect(await under().graph.neighbours([], "upstream", 2_000)).toEqual([]);
    });
  });

  describe("position", () => {
    it("grows with what the graph holds, and a walk tells the one before it", async () => {
      const before = await under().graph.position(2_000);
      const ids = await seeded(2, [[0, 1]]);
      const after = await under().graph.position(2_000);
      expect(after).toBeGreaterThan(before);
      expect((await under().graph.walk(ask([ids[0]!]))).position).toBe(after);
    });
  });
}
