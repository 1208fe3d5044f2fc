import { describe, expect, it } from "vitest";
import { cutoff, exact, older, retention } from "#services/housekeeping/testing/sweep.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";

const t = retention();
const { sweep, values } = t;

describe("column-history", () => {
  it("removes edges by the time they ceased to be declared, and columns that nothing names any more", async () => {
    const { d } = await insertEntities(t.db, ["d"]);
    const ids = await values(
      `INSERT INTO dataset_column (dataset_id, path, folded)
       SELECT ${d}, n, n FROM unnest('{a,b,c,e}'::text[]) n RETURNING id AS v`,
    );
    await t.db.query(
      `INSERT INTO column_edge_history (establisher_id, source_id, target_id, kind, origin,
         source_dataset, target_dataset, since, until)
       SELECT $2, s, t, 0, 0, $2, $2, '2029-01-01', until
         FROM unnest($1::bigint[], $3::bigint[], $4::timestamptz[]) r (s, t, until)`,
      [[ids[0], ids[1], ids[1]], d, [ids[1], ids[2], ids[3]], [older, older, exact]],
    );
    await t.db.query(
      `INSERT INTO column_edge (establisher_id, source_id, target_id, kind, source_dataset, target_dataset)
       VALUES ($1, $2, $2, 0, $1, $1)`,
      [d, ids[2]],
    );
    expect(await sweep("column-history", cutoff, 1)).toBe(1);
    expect(await sweep("column-history", cutoff, 5)).toBe(1);
    expect(await sweep("column-history", cutoff, 5)).toBe(0);
    expect(await values("SELECT iso(at) AS v FROM lineage_history_begin")).toEqual([exact]);
    expect(await values("SELECT target_id AS v FROM column_edge_history")).toEqual([ids[3]]);
    expect(await values("SELECT path AS v FROM dataset_column ORDER BY 1")).toEqual([
      "b",
      "c",
      "e",
    ]);
  });
});
