import { afterAll, beforeAll, expect, it } from "vitest";
import {
  field,
  type Harness,
  harness,
  httpRecord,
  type Item,
  source,
  table,
} from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

/** Words of entities with their weights and how often each occurs, as their documents have them and as they are made again. */
const words = (vector: string) => `
  SELECT l.lexeme, w.weight, count(*)::integer AS times
    FROM ${vector} d, unnest(d.vector) AS l, unnest(l.weights) AS w (weight)
   GROUP BY 1, 2 ORDER BY 1, 2`;

/** Both for entities that have just been posted. */
async function bothOf(...catrns: string[]) {
  const ids = await Promise.all(catrns.map(async (catrn) => (await at.entity(catrn)).id));
  return {
    stored: await at.rows(
      words("(SELECT * FROM search_document WHERE entity_id = ANY($1))"),
      ids,
    ),
    recomputed: await at.rows(words("search_documents($1)"), ids),
  };
}

const rich = (catrn: string, more: Partial<Item> = {}): Item =>
  table(catrn, {
    name: "salesOrders_1e5x",
    description: "What was sold, and when: 3 of 4.",
    tags: [{ name: "pii" }, { name: "dailyLoad" }, { name: "pii" }],
    metadata: [{
      schema_url: "http://x",
      metadata: { ownerTeam: "Ware house", rows: 5, none: null },
    }],
    dataset: {
      field_list: [
        field(`${catrn}/f/1`, {
          name: "orderId",
          description: "The order's id",
          tags: [{ name: "key" }],
          stats: { tags: [{ name: "unique" }, { name: "key" }] },
        }),
        field(`${catrn}/f/2`, { name: "at" }),
      ],
    },
    ...more,
  });

it("new entities have the words that their stored texts give them", async () => {
  await at.rows(
    `WITH n AS (INSERT INTO namespace (name) VALUES ('SalesDomain') RETURNING id)
     UPDATE data_source SET name = 'myWarehouse 1e9z', namespace_id = (SELECT id FROM n) WHERE catrn = $1`,
    source,
  );
  expect(await at.post([rich("//s/plain"), table("//s/bare")])).toBe("applied");
  const plain = await bothOf("//s/plain");
  expect(plain.stored).toEqual(plain.recomputed);
  expect(plain.stored).toContainEqual({ lexeme: "sales", weight: "A", times: 1 });
  expect(plain.stored).toContainEqual({ lexeme: "mywarehouse", weight: "B", times: 1 });
  expect(plain.stored).toContainEqual({ lexeme: "salesdomain", weight: "B", times: 1 });
  const bare = await bothOf("//s/bare");
  expect(bare.stored).toEqual(bare.recomputed);
});

it("so have those whose words only PostgreSQL can tell, beside others", async () => {
  await at.post([
    rich("//s/umlaut", { description: "Größe" }),
    rich("//s/path", { name: "~home" }),
    rich("//s/owned", { owners: [{ name: "Ann" }] }),
    rich("//s/other"),
  ]);
  const both = await bothOf("//s/umlaut", "//s/path", "//s/owned", "//s/other");
  expect(both.stored).toEqual(both.recomputed);
  for (const lexeme of ["grosse", "~home", "ann"]) {
    expect(both.stored).toContainEqual(expect.objectContaining({ lexeme }));
  }
});

it("entities that were known get the words of all that is stored", async () => {
  await at.post([rich("//s/known")]);
  await at.rows(
    "UPDATE data_entity SET internal_name = 'what people call it' WHERE catrn = '//s/known'",
  );
  await at.post([rich("//s/known", { description: "changed" })]);
  const both = await bothOf("//s/known");
  expect(both.stored).toEqual(both.recomputed);
  expect(both.stored).toContainEqual(expect.objectContaining({ lexeme: "people", weight: "A" }));
});

it("new entities are found by what their CATRN is in, and by parts of words of their names", async () => {
  const catrn = "//pg/host/h1/schemas/payroll/tables/bonuspayments77";
  await at.post([
    rich(catrn, { name: "bonuspayments77" }),
    rich("//pg/host/h1/schemas/l%C3%B6hne/tables/x", { name: "überstunden" }),
  ]);
  const both = await bothOf(catrn, "//pg/host/h1/schemas/l%C3%B6hne/tables/x");
  expect(both.stored).toEqual(both.recomputed);
  for (const lexeme of ["payroll", "lohne", "h1"]) {
    expect(both.stored).toContainEqual(expect.objectContaining({ lexeme, weight: "D" }));
  }
  const words = await at.rows<{ word: string }>("SELECT word FROM search_word ORDER BY word");
  expect(words.map(({ word }) => word)).toEqual(
    expect.arrayContaining(["bonuspayments", "orderid", "uberstunden"]),
  );
  const count = words.length;
  await at.post([rich(`${catrn}0`, { name: "bonuspayments78" })]);
  expect(await at.rows("SELECT FROM search_word")).toHaveLength(count);
});

it("entities that are not searched get no document", async () => {
  await at.post([
    {
      catrn: "//s/group/member",
      name: "hidden",
      type: "DAG",
      data_entity_group: { entities_list: [], group_catrn: "//s/group" },
    },
  ]);
  const { id } = await at.entity("//s/group/member");
  expect(await at.rows("SELECT FROM search_document WHERE entity_id = $1", id)).toEqual([]);
});

it("a tag that was renamed since it was looked up is found by its new name", async () => {
  await at.post([table("//s/first", { tags: [{ name: "soon renamed" }] })]);
  const over = at.pipelineOver(async (work) => {
    await at.rows("UPDATE tag SET name = 'renamed' WHERE name = 'soon renamed'");
    return await at.db.transaction(work);
  });
  await over.process(httpRecord([table("//s/second", { tags: [{ name: "soon renamed" }] })]));
  const both = await bothOf("//s/second");
  expect(both.stored).toEqual(both.recomputed);
  expect(both.stored).toContainEqual({ lexeme: "renamed", weight: "B", times: 1 });
  expect(both.stored).not.toContainEqual(expect.objectContaining({ lexeme: "soon" }));
});
