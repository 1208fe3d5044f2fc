import { afterEach, expect, it } from "vitest";
import type { Metrics } from "#kit/metrics.ts";
import { noMetrics } from "#kit/metrics.ts";
import { maxSqlBytes, SqlReader } from "./reader.ts";
import type { SqlDataset } from "./model.ts";

const readers: SqlReader[] = [];
afterEach(() => readers.splice(0).forEach((reader) => reader.stop()));

/** A reader, with the threads that it gave up. */
function open(deadlineMs = 60_000) {
  const aborted: string[] = [];
  const metrics: Metrics = {
    ...noMetrics,
    counter: () => ({ inc: ({ reason } = {}) => void aborted.push(reason!) }),
  };
  const reader = new SqlReader({ metrics, deadlineMs });
  readers.push(reader);
  return { aborted, read: (sql: string) => reader.read({ sql, inputs: [from], outputs: [into] }) };
}

const table = (id: number, name: string, columns = 0): SqlDataset => ({
  id,
  catrn: `//postgresql/tables/${name}`,
  name,
  fields: Array.from({ length: columns }, (_, i) => `c${i}`),
});
const [from, into] = [table(1, "s", 3), table(2, "t")];
const plain = "INSERT INTO t (a) SELECT c0 FROM s";
const understood = {
  edges: [{
    source: { dataset: 1, path: "c0" },
    target: { dataset: 2, path: "a" },
    kind: "DIRECT",
    subtype: "IDENTITY",
  }],
};

const unions = `INSERT INTO t SELECT c0 FROM s${" UNION ALL SELECT c0 FROM s".repeat(2_000)}`;

/** Each joins the one before with itself, so that walking each way apart would never end. */
const doubled = () => {
  const cte = (_: unknown, i: number) => {
    const source = i === 0 ? "s" : `x${i - 1}`;
    return `x${i} AS (SELECT l.c0 AS c0 FROM ${source} l JOIN ${source} r ON l.c0 = r.c0)`;
  };
  const ctes = Array.from({ length: 40 }, cte).join(", ");
  return `WITH ${ctes} INSERT INTO t (a) SELECT c0 FROM x39`;
};

it("reads in a thread, and refuses what it does not understand", async () => {
  const { read, aborted } = open();
  expect(await read(plain)).toEqual(understood);
  expect(await read("MERGE INTO")).toMatchObject({ refused: "syntax" });
  expect(aborted).toEqual([]);
});

it("walks what is used twice once", async () => {
  const { read } = open();
  expect(await read(doubled())).toMatchObject({
    edges: [understood.edges[0], { subtype: "JOIN" }],
  });
});

it("gives up what takes too long", async () => {
  const { read, aborted } = open(1);
  expect(await read(unions)).toEqual({ refused: "too_slow" });
  expect(aborted).toEqual(["deadline"]);
});

it("refuses SQL that is longer than is read without a look at it", async () => {
  const { read } = open();
  const long = `${plain} WHERE c1 = '${"ü".repeat(maxSqlBytes / 2)}'`;
  expect(long.length).toBeLessThan(maxSqlBytes);
  expect(await read(long)).toEqual({ refused: "too_long" });
});

it.each([
  ["parentheses", `INSERT INTO t SELECT ${"(".repeat(30_000)}c0${")".repeat(30_000)} FROM s`],
  ["subqueries", `INSERT INTO t ${"SELECT * FROM (".repeat(3_000)}SELECT 1${") q".repeat(3_000)}`],
  ["sums", `INSERT INTO t SELECT c0${" + c0".repeat(10_000)} FROM s`],
  ["unions", unions],
  [
    "cases",
    `INSERT INTO t SELECT ${"CASE WHEN c0 = 1 THEN ".repeat(2_000)}1${" END".repeat(2_000)}`,
  ],
  ["open quotes", `INSERT INTO t SELECT '${"''".repeat(20_000)}`],
  ["comments", `${"/*".repeat(30_000)}`],
  ["a lone surrogate", "INSERT INTO t SELECT '\ud800', \"\0\" FROM s"],
])("survives %s without end, and goes on", async (_, sql) => {
  const { read } = open();
  expect(await read(sql)).toBeDefined();
  expect(await read(plain)).toEqual(understood);
});
