import { describe, expect, it } from "vitest";
import { cutoff, exact, older, retention } from "#services/housekeeping/testing/sweep.ts";

const t = retention();
const { sweep, values } = t;

describe("recently-viewed", () => {
  const view = (user: string, at: string, n: number) =>
    t.db.query(
      `WITH e AS (INSERT INTO data_entity (catrn) SELECT gen_random_uuid() FROM generate_series(1, $3) RETURNING id)
       INSERT INTO recently_viewed (username, provider, entity_id, last_viewed_at) SELECT $1, '', id, $2 FROM e`,
      [user, at, n],
    );
  const left = () =>
    values(
      "SELECT username || ' ' || count(*) AS v FROM recently_viewed GROUP BY username ORDER BY 1",
    );

  it("removes what was viewed before the cutoff", async () => {
    await view("a", older, 3);
    await view("a", exact, 1);
    expect(await sweep("recently-viewed", cutoff, 2)).toBe(2);
    expect(await sweep("recently-viewed", cutoff, 2)).toBe(1);
    expect(await left()).toEqual(["a 1"]);
  });

  it("keeps the newest of each user, up to a number", async () => {
    await view("a", older, 4);
    await view("b", older, 2);
    expect(await sweep("surplus-recently-viewed", 2, 2)).toBe(2);
    expect(await sweep("surplus-recently-viewed", 2, 9)).toBe(1);
    expect(await left()).toEqual(["a 2", "b 2"]);
    expect(
      await values(
        "SELECT count(*) AS v FROM recently_viewed WHERE last_viewed_at = '" + exact + "'",
      ),
    )
      .toEqual([1]);
  });
});
