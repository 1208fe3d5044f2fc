import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding, StatementCounter } from "../connector.ts";
import {
  type CollectorHarness,
  collectorHarness,
  found,
  tableCatrn,
  tableItem,
} from "../testing/harness.ts";

let at: CollectorHarness;
beforeEach(async () => void (at = await collectorHarness()));
afterEach(() => at.drop());

const hour = 3_600_000;

/** A counter of a statement that reads `a`. */
const counter = (
  key: string,
  calls: number,
  more: Partial<StatementCounter> = {},
): StatementCounter => (
  { key, calls: BigInt(calls), since: null, reads: [tableCatrn("a")], role: "", ...more }
);

/** What the source lists in the next run; `isComplete`: everything that it counts. */
function lists(counters: StatementCounter[], isComplete = true): void {
  at.source.read = async function* (): AsyncGenerator<Finding> {
    yield found(tableItem("a"));
    yield { kind: "usage", counters };
    yield { kind: "usage", counters: [], end: { isComplete } };
  };
}

const readsOf = async (name = "a") => {
  const [row] = await at.db.query<{ reads: number }>(
    "SELECT coalesce(sum(reads), 0)::int AS reads FROM dataset_usage WHERE catrn = $1",
    [tableCatrn(name)],
  );
  return row!.reads;
};

/** Runs over these counters; the reads of `a` so far. */
async function readsAfter(counters: StatementCounter[], isComplete = true): Promise<number> {
  lists(counters, isComplete);
  expect((await at.ran()).state).toBe("SUCCEEDED");
  return await readsOf();
}

describe("usage", () => {
  it("counts what counters grew by between two runs, from the first run on", async () => {
    await at.start();
    expect(await readsAfter([counter("s1", 1_000_000)])).toBe(0);
    expect(await readsAfter([counter("s1", 1_000_007)])).toBe(7);
    expect(await readsAfter([counter("s1", 1_000_007)])).toBe(7);
    expect(await readsAfter([counter("s1", 1_000_010), counter("s2", 5)])).toBe(15);
  });

  it("counts on when statistics are reset, whether the source says so or not", async () => {
    await at.start();
    const began = Date.now() - hour;
    await readsAfter([counter("s1", 100, { since: began }), counter("s2", 100)]);
    const after = [counter("s1", 150, { since: began + 1_000 }), counter("s2", 4)];
    expect(await readsAfter(after)).toBe(154);
  });

  it("counts a statement that comes back after it was forgotten from its beginning", async () => {
    await at.start();
    await readsAfter([counter("s1", 100)]);
    expect(await readsAfter([])).toBe(0);
    expect(await readsAfter([counter("s1", 3)])).toBe(3);
  });

  it("does not count what a list that ended early may have left out before", async () => {
    await at.start();
    await readsAfter([counter("s1", 100)], false);
    const next = [
      counter("s1", 101),
      counter("s2", 50),
      counter("s3", 2, { since: Date.now() + hour }),
    ];
    expect(await readsAfter(next)).toBe(3);
  });

  it("counts nothing twice when a run ends after some pages", async () => {
    await at.start();
    await readsAfter([counter("s1", 100)]);
    at.source.read = async function* (): AsyncGenerator<Finding> {
      yield { kind: "usage", counters: [counter("s1", 110)] };
      throw new Error("gone");
    };
    expect((await at.ran()).state).toBe("FAILED");
    expect(await readsAfter([counter("s1", 112)])).toBe(12);
  });

  it("forgets names of roles once they may not be stored, and keeps the reads", async () => {
    await at.start();
    await readsAfter([counter("s1", 0, { role: "anna" }), counter("s2", 0)]);
    await readsAfter([counter("s1", 3, { role: "anna" }), counter("s2", 2)]);
    const roles = () => at.db.query("SELECT role, reads::int FROM dataset_usage ORDER BY role");
    expect(await roles()).toEqual([{ role: "", reads: 2 }, { role: "anna", reads: 3 }]);
    await readsAfter([counter("s1", 4), counter("s2", 2)]);
    expect(await roles()).toEqual([{ role: "", reads: 6 }]);
  });

  it("sums up a window of thirty days, and says since when it counts", async () => {
    await at.start();
    await readsAfter([counter("s1", 0)]);
    await at.db.query(
      `INSERT INTO data_entity (catrn, type_id, class_ids, data_source_id, hollow, received_at, last_ingested_at)
       SELECT $1, 1, '{1}', id, false, now(), now() FROM data_source`,
      [tableCatrn("a")],
    );
    await readsAfter([counter("s1", 9)]);
    await at.db.query("UPDATE dataset_usage SET day = day - 29");
    await at.db.query(
      "UPDATE connection_usage_day SET day = day - 29, from_at = from_at - interval '29 days'",
    );
    await readsAfter([counter("s1", 10)]);
    const usage = async () =>
      (await at.db.query<{ json: { reads: number; since: string } }>(
        "SELECT json_usage(e) AS json FROM data_entity e WHERE catrn = $1",
        [tableCatrn("a")],
      ))[0]!.json;
    const first = await usage();
    expect(first.reads).toBe(10);
    expect(Date.now() - Date.parse(first.since)).toBeGreaterThan(28 * 24 * hour);
    await at.db.query("UPDATE dataset_usage SET day = day - 1 WHERE day < current_date");
    await at.db.query("UPDATE connection_usage_day SET day = day - 1 WHERE day < current_date");
    await readsAfter([counter("s1", 10)]);
    const second = await usage();
    expect(second.reads).toBe(1);
    expect(Date.now() - Date.parse(second.since)).toBeLessThan(24 * hour);
  });

  it("keeps a statement that is not listed any more for its days, then removes it", async () => {
    const jobs = (...names: string[]) => {
      at.source.read = async function* (): AsyncGenerator<Finding> {
        for (const name of names) yield { kind: "item", item: tableItem(name), retainDays: 30 };
      };
    };
    jobs("a");
    await at.start();
    await at.ran();
    await at.db.query("UPDATE connection_item SET published_at = 1");
    jobs();
    expect((await at.ran()).counts.removed).toBe(0);
    await at.db.query("UPDATE connection_item SET retain_until = now() - interval '1 s'");
    expect((await at.ran()).counts.removed).toBe(1);
  });
});
