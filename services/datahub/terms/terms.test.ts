import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Harness, harness } from "../testing/harness.ts";
import { aspect, table, tableAspects } from "../testing/proposals.ts";

let h: Harness;
beforeAll(async () => void (h = await harness({ hosts: "postgres=db" })));
afterAll(() => h.drop());
beforeEach(() => void (h.clock.at += 61_000));

const at = (name: string) => `//postgresql/host/db/databases/a/schemas/public/tables/${name}`;
const termsOf = async (name: string) =>
  (await h.rows<{ term: string }>(
    `SELECT n.name || ':' || t.name AS term FROM entity_term x JOIN term t ON t.id = x.term_id
       JOIN namespace n ON n.id = t.namespace_id JOIN data_entity e ON e.id = x.entity_id
      WHERE e.catrn = $1 ORDER BY 1`,
    at(name),
  )).map(({ term }) => term);
const definitionOf = async (name: string) =>
  (await h.rows<{ definition: string }>("SELECT definition FROM term WHERE name = $1", name))[0]
    ?.definition;
const link = (name: string, ...terms: string[]) =>
  aspect(table(`a.public.${name}`), "glossaryTerms", {
    terms: terms.map((term) => ({ urn: `urn:li:glossaryTerm:${term}` })),
  });
const define = (term: string, definition: string, parentNode?: string) =>
  aspect(`urn:li:glossaryTerm:${term}`, "glossaryTermInfo", {
    name: term,
    definition,
    termSource: "INTERNAL",
    ...(parentNode ? { parentNode } : {}),
  });

it("a glossary of DataHub becomes terms, in the namespace of their node", async () => {
  const node = "urn:li:glossaryNode:1";
  await h.take(
    aspect(node, "glossaryNodeInfo", { name: "Sales", definition: "Of sales" }),
    define("Net", "Without tax", node),
  );
  expect(
    await h.rows(
      "SELECT n.name AS namespace, t.name, t.definition FROM term t JOIN namespace n ON n.id = t.namespace_id",
    ),
  ).toEqual([{ namespace: "Sales", name: "Net", definition: "Without tax" }]);
  h.clock.at += 1_000;
  await h.take(define("Net", "Before tax", node));
  expect(await definitionOf("Net")).toBe("Before tax");
});

it("what people wrote as the definition of a term stays", async () => {
  await h.take(define("Gross", "With tax"));
  await h.rows("UPDATE term SET definition = 'Ours' WHERE name = 'Gross'");
  h.clock.at += 1_000;
  await h.take(define("Gross", "Including tax"));
  expect(await definitionOf("Gross")).toBe("Ours");
});

it("an entity is linked with its terms, and no longer when these are taken from it", async () => {
  await h.take(...tableAspects(table("a.public.t"), ["x"]), link("t", "Net", "Customer.Email"));
  expect(await termsOf("t")).toEqual(["DataHub:Email", "Sales:Net"]);
  h.clock.at += 1_000;
  await h.take(link("t", "Net"));
  expect(await termsOf("t")).toEqual(["Sales:Net"]);
  const events = await h.rows(
    "SELECT event_type FROM activity WHERE event_type = 'TERM_ASSIGNMENT_UPDATED'",
  );
  expect(events).toHaveLength(2);
});

it("a link that people made stays when DataHub takes its own", async () => {
  await h.take(...tableAspects(table("a.public.u"), ["x"]));
  await h.rows(
    `INSERT INTO entity_term SELECT e.id, t.id FROM data_entity e, term t
      WHERE e.catrn = $1 AND t.name = 'Net'`,
    at("u"),
  );
  h.clock.at += 1_000;
  await h.take(link("u", "Net", "Gross"));
  expect(await termsOf("u")).toEqual(["DataHub:Gross", "Sales:Net"]);
  h.clock.at += 1_000;
  await h.take(link("u"));
  expect(await termsOf("u")).toEqual(["Sales:Net"]);
});

it("a dataset that a connection reads has the terms of DataHub too", async () => {
  await h.collect("//postgresql/host/db/databases/a", [
    { catrn: at("v"), name: "v", type: "TABLE", dataset: { field_list: [] } },
  ]);
  await h.take(link("v", "Gross"));
  expect(await termsOf("v")).toEqual(["DataHub:Gross"]);
});
