import { afterAll, beforeAll, expect, it } from "vitest";
import { ns, pg, run, tableOf } from "../testing/catalogue.ts";
import { type EventInput, type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

const textsOf = async (catrn: string) =>
  (await h.rows<{ description: string }>(
    `SELECT c.description FROM alert_chunk c JOIN alert a ON a.id = c.alert_id
       JOIN data_entity e ON e.id = a.entity_id WHERE e.catrn = $1 ORDER BY 1`,
    catrn,
  )).map(({ description }) => description);

async function failing(
  given: { assertions?: EventInput[]; tests?: EventInput[] },
): Promise<string[]> {
  const namespace = ns();
  const table = { namespace: pg(namespace), name: "shop.public.customers" };
  const inputs = [{
    ...table,
    inputFacets: { dataQualityAssertions: { assertions: given.assertions ?? [] } },
  }];
  const facets = given.tests ? { test: { tests: given.tests } } : {};
  await h.take(run(namespace, "COMPLETE", { inputs, facets }));
  return await textsOf(tableOf(namespace, "customers"));
}

const failed = (name: string, reason = "") => `Test run ${name} ended with status FAILED${reason}`;

it("an alert of a failed assertion names the test and its column, never the run's id", async () => {
  const assertions = [
    { assertion: "not_null", success: false, column: "email" },
    { assertion: "unique", success: false, column: "id", expected: "0", actual: "3" },
    { assertion: "between", name: "age is plausible", success: false, column: "age" },
    { assertion: "row_count", success: false },
    { assertion: "accepted", success: true, column: "state" },
  ];
  expect(await failing({ assertions })).toEqual([
    failed("age is plausible (age)"),
    failed("not_null/email"),
    failed("row_count"),
    failed("unique/id", ": expected 0, actual 3"),
  ]);
});

it("so does that of a test that a run tells of as a whole", async () => {
  expect(await failing({ tests: [{ name: "totals_match", status: "FAIL" }] }))
    .toEqual([failed("totals_match")]);
});
