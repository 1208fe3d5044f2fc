import { expect, it } from "vitest";
import {
  maxStatements,
  otherStatements,
  slowMs,
  SlowStatements,
} from "#metadata/postgres/slow-statements.ts";

it("adds up slow statements by name, and forgets fast ones", () => {
  const slow = new SlowStatements();
  slow.record("entity-list", slowMs - 1);
  slow.record("entity-list", slowMs);
  slow.record("entity-list", 2 * slowMs);
  slow.record("SELECT  1\n  FROM data_entity", slowMs);
  const drained = slow.drain();
  expect(drained).toEqual([
    { statement: "entity-list", calls: 2, totalMs: 3 * slowMs, maxMs: 2 * slowMs },
    { statement: "SELECT 1 FROM data_entity", calls: 1, totalMs: slowMs, maxMs: slowMs },
  ]);
  expect(slow.drain()).toEqual([]);
  slow.record("entity-list", slowMs);
  slow.restore(drained);
  expect(slow.drain()[0]).toMatchObject({ calls: 3, totalMs: 4 * slowMs });
});

it("tells a bounded number of statements apart, and counts the others together", () => {
  const slow = new SlowStatements();
  for (let n = 0; n < maxStatements + 5; n++) slow.record(`statement-${n}`, slowMs);
  const drained = slow.drain();
  expect(drained).toHaveLength(maxStatements + 1);
  expect(drained.at(-1)).toMatchObject({ statement: otherStatements, calls: 5 });
});
