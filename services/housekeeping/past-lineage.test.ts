import { describe, expect, it } from "vitest";
import { cutoff, exact, older, retention } from "#services/housekeeping/testing/sweep.ts";

const t = retention();
const { sweep, values } = t;

describe("what lineage as of a past time is made of", () => {
  const begins = () =>
    values("SELECT CASE WHEN isfinite(at) THEN iso(at) END AS v FROM lineage_history_begin");

  it("is forgotten by its end, and then the history begins later; nothing brings it back", async () => {
    await t.db.query("UPDATE lineage_history_begin SET at = '-infinity'");
    expect(await sweep("lineage-history", cutoff, 10)).toBe(0);
    expect(await begins()).toEqual([null]);
    await t.db.query(
      `INSERT INTO lineage_edge_history VALUES (1, 1, 2, '2020-01-01', $1), (1, 1, 3, $1, $2)`,
      [older, exact],
    );
    expect(await sweep("lineage-history", cutoff, 10)).toBe(1);
    expect(await begins()).toEqual([cutoff.toISOString()]);
    await t.db.query(
      "INSERT INTO lineage_edge_history VALUES (1, 1, 2, '2019-01-01', '2020-01-01')",
    );
    expect(await sweep("lineage-history", new Date("2021-01-01"), 10)).toBe(1);
    expect(await begins()).toEqual([cutoff.toISOString()]);
  });

  it("is forgotten of purged entities too", async () => {
    await t.db.query(
      `INSERT INTO entity_tombstone (entity_id, catrn, class_ids, created_at, purged_at)
       VALUES (1, '//a', '{}', '2020-01-01', $1), (1, '//a', '{}', $1, $2)`,
      [older, exact],
    );
    expect(await sweep("tombstones", cutoff, 10)).toBe(1);
    expect(await values("SELECT iso(created_at) AS v FROM entity_tombstone"))
      .toEqual([new Date(older).toISOString()]);
  });
});
