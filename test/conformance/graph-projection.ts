import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EdgePair, type ProjectedGraph, StaleEpochError } from "#graph/port.ts";
import { ask, spelled } from "#test/support/engines/lineage-graph.ts";

export interface ProjectedUnderTest {
  /** Two processes on one graph. */
  one: ProjectedGraph;
  two: ProjectedGraph;
  close(): Promise<void>;
}

/** What every graph that is a copy promises to the projector; `open` is called once. */
export function projectionConformance(
  engine: ProjectedGraph["engine"],
  open: () => Promise<ProjectedUnderTest>,
): void {
  describe(`projection into ${engine}`, () => {
    let one: ProjectedGraph;
    let two: ProjectedGraph;
    let close: () => Promise<void>;
    let epoch = 0;
    beforeAll(async () => void ({ one, two, close } = await open()));
    afterAll(() => close?.());
    beforeEach(async () => {
      await one.claim(++epoch);
      await one.clear(epoch);
    });
    const storedPairs = async () => {
      const edges: EdgePair[] = [];
      for await (const batch of one.scan(100)) edges.push(...batch);
      return edges;
    };

    it("ensureSchema is safe when several processes do it at once, and again", async () => {
      await Promise.all([one, two, one, two].map((graph) => graph.ensureSchema()));
      await one.ensureSchema();
      expect(await one.position(2_000)).toBe(0);
    });

    it("apply replaces exactly the edges that touch the batch's entities", async () => {
      await one.apply(epoch, { position: 1, entities: [1, 2], edges: [[1, 2], [2, 3], [4, 1]] });
      await one.apply(epoch, { position: 2, entities: [5], edges: [[5, 6], [5, 5]] });
      await one.apply(epoch, { position: 3, entities: [2], edges: [[2, 7]] });
      expect(spelled(await storedPairs())).toEqual(spelled([[2, 7], [4, 1], [5, 5], [5, 6]]));
      expect(await two.position(2_000)).toBe(3);
    });

    it("apply twice leaves the graph as once", async () => {
      const batch = {
        position: 9,
        entities: [1, 2],
        edges: [[1, 2], [2, 2], [2, 3]] as EdgePair[],
      };
      await one.apply(epoch, batch);
      await one.apply(epoch, batch);
      expect(await storedPairs()).toEqual([[1, 2], [2, 2], [2, 3]]);
      expect((await one.walk(ask([2]))).degrees.get(2)).toEqual({ parents: 2, children: 2 });
    });

    it("apply forgets entities that have no edge any more", async () => {
      await one.apply(epoch, { position: 1, entities: [1], edges: [[1, 2]] });
      await one.apply(epoch, { position: 2, entities: [1], edges: [] });
      expect((await one.walk(ask([1]))).degrees.size).toBe(0);
      expect(await one.position(2_000)).toBe(2);
    });

    it("a second leader that wakes late changes nothing", async () => {
      await one.apply(epoch, { position: 4, entities: [1], edges: [[1, 2]] });
      const late = epoch;
      expect(await two.claim(++epoch)).toBe(4);
      const batch = { position: 5, entities: [1], edges: [[1, 3]] as EdgePair[] };
      await expect(one.apply(late, batch)).rejects.toBeInstanceOf(StaleEpochError);
      await expect(one.clear(late)).rejects.toBeInstanceOf(StaleEpochError);
      await expect(one.claim(late)).rejects.toBeInstanceOf(StaleEpochError);
      expect(await storedPairs()).toEqual([[1, 2]]);
      expect(await one.position(2_000)).toBe(4);
    });

    it("batches of two leaders at once: only the one in force writes", async () => {
      const late = epoch;
      await two.claim(++epoch);
      const tries = Array.from({ length: 10 }, (_, i) => i + 1).flatMap((n) => [
        one.apply(late, { position: 100 + n, entities: [1], edges: [[1, 100 + n]] }),
        two.apply(epoch, { position: n, entities: [n + 1], edges: [[n + 1, 500]] }),
      ]);
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter((o) => o.status === "rejected")).toHaveLength(10);
      expect((await storedPairs()).every(([, child]) => child === 500)).toBe(true);
    });

    it("batches that write the same entities at once all arrive, transient errors retried", async () => {
      const batches = Array.from({ length: 8 }, (_, i) => ({
        position: i + 1,
        entities: [1000 + i],
        edges: Array.from({ length: 40 }, (_, k): EdgePair => [1000 + i, k + 1]),
      }));
      await Promise.all(batches.map((batch, i) => (i % 2 ? one : two).apply(epoch, batch)));
      expect(await storedPairs()).toHaveLength(320);
    });

    it("scan gives every edge in order, in batches of at most the size asked for", async () => {
      const edges = Array.from({ length: 250 }, (_, i): EdgePair => [7 + i % 3, 1_000 - i]);
      await one.apply(epoch, { position: 1, entities: [7, 8, 9], edges });
      const batches: EdgePair[][] = [];
      for await (const batch of one.scan(40)) batches.push(batch);
      expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(40);
      expect(batches.flat()).toEqual(edges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
    });

    it("clear removes everything and the position starts again, the epoch stays", async () => {
      const edges = Array.from({ length: 6_000 }, (_, i): EdgePair => [1, i + 2]);
      await one.apply(epoch, { position: 7, entities: [1], edges });
      await one.clear(epoch);
      expect(await storedPairs()).toEqual([]);
      expect(await one.position(2_000)).toBe(0);
      await expect(two.apply(epoch - 1, { position: 1, entities: [], edges: [] }))
        .rejects.toBeInstanceOf(StaleEpochError);
    });
  });
}
