import { expect, it } from "vitest";
import { changesIn } from "./changes.ts";

const file = "services/api/features/tags/service.ts";

it.each<[string, string]>([
  ["begins a transaction", "await context.db.transaction(async (tx) => {});"],
  ["retries one", "await retryingTransaction(db, (tx) => write(tx));"],
  [
    "writes without one",
    'export function add(db: Queryable) { return db.query("INSERT INTO tag (name) VALUES ($1)"); }',
  ],
  [
    "writes a statement that stands above without one",
    "const rename = `UPDATE tag SET name = $1`;\nasync function f(db: Queryable) { await db.query(rename); }",
  ],
  [
    "writes by a tx that is no Transaction",
    'async function add(tx: Queryable) { await tx.query("DELETE FROM tag"); }',
  ],
])("finds a family that %s", (_, text) => {
  expect(changesIn(file, text)).toHaveLength(1);
});

it.each<[string, string]>([
  ["changes by changing()", "await changing(context, actor, ({ tx }) => rename(tx, id));"],
  [
    "writes in a transaction that it is given",
    'async function add(tx: Transaction) { await tx.query("DELETE FROM tag"); }',
  ],
  [
    "writes by the transaction of a change",
    "const rename = `UPDATE tag SET name = $1`;\n" +
    "function f(context: Deps) { return changing(context, ({ tx }) => tx.query(rename)); }",
  ],
  ["reads", 'async function all(db: Queryable) { await db.query("SELECT * FROM tag"); }'],
  [
    "says why it need not",
    "// change-ok -- sessions are no part of the catalogue\nawait db.transaction(async (tx) => {});",
  ],
])("takes a family that %s", (_, text) => {
  expect(changesIn(file, text)).toEqual([]);
});
