import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, harness, httpRecord, type Item, job, table } from "./testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

/** Pseudo-random numbers below 1, reproducible from a seed. */
function random(seed: number): () => number {
  return () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

function shuffled<T>(list: T[], next: () => number): T[] {
  const keyed = list.map((value) => ({ value, key: next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, i) => `//c/${kind}/${i}`);

describe("Pipeline with eight writers", () => {
  it("surfaces no error when all of them name the same hollow entities in other orders", async () => {
    const shared = names("hollow", 60);
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const next = random(writer + 1);
      for (let round = 0; round < 6; round++) {
        const ends = shuffled(shared, next);
        const items = Array.from(
          { length: 10 },
          (_, i) =>
            job(`//c/job/${writer}/${round}/${i}`, ends.slice(i, i + 20), ends.slice(30 + i)),
        );
        expect(await at.pipeline.process(httpRecord(items))).toBe("applied");
      }
    });
    await Promise.all(writers);
    expect(at.deadLetters).toEqual([]);
    const [counted] = await at.rows(
      `SELECT count(*) FILTER (WHERE hollow) AS hollow, count(*) FILTER (WHERE NOT hollow) AS real
         FROM data_entity WHERE catrn LIKE '//c/%'`,
    );
    expect(counted).toEqual({ hollow: 60, real: 8 * 6 * 10 });
  });

  it("leaves the newest payload when all of them post the same entities", async () => {
    const catrns = names("same", 30);
    const receivedAt = Date.now();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const next = random(writer + 100);
      for (let round = 0; round < 5; round++) {
        const at_ = receivedAt + round * 8 + writer;
        const items: Item[] = shuffled(catrns, next).map((catrn, i) => ({
          ...table(catrn, {
            description: String(at_),
            tags: shuffled(names("tag", 9), next).map((name) => ({ name })),
          }),
          data_transformer: { inputs: [catrns[i]!], outputs: [] },
          type: "VIEW",
        }));
        expect(await at.pipeline.process(httpRecord(items, { receivedAt: at_ }))).toBe("applied");
      }
    });
    await Promise.all(writers);
    expect(at.deadLetters).toEqual([]);
    const stored = await at.rows(
      "SELECT DISTINCT external_description AS d FROM data_entity WHERE catrn LIKE '//c/same/%'",
    );
    expect(stored).toEqual([{ d: String(receivedAt + 4 * 8 + 7) }]);
    const edges = await at.rows(
      `SELECT count(*) AS n FROM lineage_edge x JOIN data_entity e ON e.id = x.establisher_id
        WHERE e.catrn LIKE '//c/same/%'`,
    );
    expect(edges).toEqual([{ n: 30 }]);
  });

  it("applies a chunk once when two consumers hold it", async () => {
    const record = httpRecord([table("//c/zombie")], { batch: "zombie" });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => at.pipeline.process(record)),
    );
    expect(new Set(outcomes)).toEqual(new Set(["applied"]));
    const { id } = await at.entity("//c/zombie");
    expect(await at.rows("SELECT 1 FROM activity WHERE entity_id = $1", id)).toHaveLength(1);
  });
});
