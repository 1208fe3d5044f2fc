import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileRows } from "#platform/naming/openlineage/testing/file-rows.ts";
import type { Row } from "#platform/naming/openlineage/testing/row.ts";
import { tableRows } from "#platform/naming/openlineage/testing/table-rows.ts";
import { columns, jobOf, ns, run, shownBy } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

// A dataset that producers of OpenLineage and a collector both tell of is one entity, for the names of every system.

/** Which of the two is heard in what order. */
const orders: [string, ("producer" | "collector")[]][] = [
  ["the collector comes first", ["collector", "producer"]],
  ["the producer comes first", ["producer", "collector"]],
  ["the producer comes before and after", ["producer", "collector", "producer"]],
];

describe.each(orders)("%s", (_, order) => {
  let h: Harness;
  beforeAll(async () => void (h = await harness()));
  afterAll(() => h.drop());
  const { edges, latestFields, statusOf } = shownBy(() => h);

  it.each<Row>([...tableRows, ...fileRows])(
    "$catrn is one entity, what the collector told of it holds, and its edge stays",
    async ({ catrn, kind, canonical, variants, rule }) => {
      const namespace = ns();
      // Datasets without a name are left out of events.
      const spellings = [...variants, canonical].filter(([, name]) => name !== "");
      const source = `//collectors/${rule}`;
      for (const [turn, teller] of order.entries()) {
        h.clock.at += 1_000;
        const [at, name] = spellings[turn % spellings.length]!;
        const dataset = { namespace: at, name, facets: columns("told") };
        if (teller === "producer") {
          await h.take(run(namespace, "COMPLETE", { outputs: [dataset], n: turn + 1 }));
        } else await h.collect(source, collected(catrn, kind));
      }
      expect(await statusOf(catrn)).toEqual([{ status: "true", source, hollow: false }]);
      expect(await latestFields(catrn)).toEqual(["own"]);
      expect(await edges(jobOf(namespace))).toEqual([{ parent: jobOf(namespace), child: catrn }]);
    },
  );
});

/** The item of a collector, with one column of its own. */
function collected(catrn: string, type: string) {
  const field = {
    catrn: `${catrn}/columns/own`,
    name: "own",
    type: { type: "TYPE_STRING", is_nullable: true },
  };
  return { catrn, name: "theirs", type, dataset: { field_list: [field] } };
}
