import { afterEach, beforeEach, expect, it } from "vitest";
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

const finds = (...names: string[]) => {
  at.source.read = async function* () {
    for (const name of names) yield found(tableItem(name));
  };
};

/** The entity as a consumer would have stored it. */
const applied = (name: string) =>
  at.db.query(
    `INSERT INTO data_entity (catrn, type_id, class_ids, data_source_id, hollow, received_at, last_ingested_at)
     SELECT $1, 1, '{1}', id, false, now() + interval '1 minute', now() FROM data_source`,
    [tableCatrn(name)],
  );
const statusOf = async (name: string) =>
  (await at.db.query<{ status: string }>(
    "SELECT status_name(status) AS status FROM data_entity WHERE catrn = $1",
    [tableCatrn(name)],
  ))[0]?.status;

it("keeps what is excluded later, names it once, and no longer maintains it", async () => {
  const exclude = (...patterns: string[]) =>
    at.db.query("UPDATE connection SET settings = settings || $1::jsonb", [
      JSON.stringify({ exclude: patterns }),
    ]);
  finds("a", "b");
  await at.start();
  await at.ran();
  await Promise.all([applied("a"), applied("b")]);
  await exclude("shop.b");
  finds("a");
  expect(await at.ran()).toMatchObject({
    state: "PARTIAL",
    counts: { removed: 0, unchanged: 1, skipped: 1 },
    problems: [{
      object: tableCatrn("b"),
      reason: expect.stringContaining("no longer selected"),
    }],
  });
  expect(await statusOf("b")).toBe("UNASSIGNED");
  expect(await at.ran()).toMatchObject({
    state: "SUCCEEDED",
    counts: { removed: 0, skipped: 0 },
  });
  finds();
  expect((await at.ran()).counts).toMatchObject({ removed: 1 });
  expect([await statusOf("a"), await statusOf("b")]).toEqual(["DELETED", "UNASSIGNED"]);
  await exclude();
  finds("b");
  expect((await at.ran()).counts).toMatchObject({ added: 1 });
});
