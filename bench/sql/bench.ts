import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { SqlDataset } from "#services/ingest-consumer/sql-lineage/model.ts";
import { readSql } from "#services/ingest-consumer/sql-lineage/parse/read.ts";
import { type Generated, sourceTables, SqlGenerator } from "#test/columns/sql-generator.ts";
import { virtualEnvironment } from "../../tools/venv.ts";
import { type Row, row } from "../support/report.ts";

export interface SqlBenchSizes {
  statements: number;
  /** Whether other readers of SQL are installed and measured. */
  peers: boolean;
}

export const sqlSizes = {
  small: { statements: 40, peers: false },
  full: { statements: 2_000, peers: true },
};

/** How well and how fast columns are read from generated statements, whose lineage is known by construction. */
export function sqlBench({ statements, peers }: SqlBenchSizes): Row[] {
  const generator = new SqlGenerator(1, false);
  const cases = Array.from({ length: statements }, () => generator.statement());
  const times: number[] = [];
  const known = cases.map((one) => ours(one, true, times));
  const unknown = cases.map((one) => ours(one, false, times));
  const rows = [
    share("exact, structures known", cases, known, isExact, "100 %", (ours) => ours === 100),
    share(
      "without a wrong edge, structures known",
      cases,
      known,
      isRight,
      "100 %",
      (ours) => ours === 100,
    ),
    share("exact, structures unknown", cases, unknown, isExact, "", undefined),
    share(
      "without a wrong edge, structures unknown",
      cases,
      unknown,
      isRight,
      "100 %",
      (ours) => ours === 100,
    ),
    time("a statement, p99", percentile(times, 0.99), 200),
    time("64 kB of SQL", timeOf(longSql()), 2_000),
    time("10,000 columns", timeOf("INSERT INTO filled SELECT * FROM wide", 10_000), 2_000),
  ];
  return peers ? withPeers(rows, cases) : rows;
}

const inputsOf = (areKnown: boolean): SqlDataset[] =>
  Object.entries(sourceTables).map(([name, fields], at) => ({
    id: at + 1,
    catrn: `//postgresql/tables/${name}`,
    name,
    fields: areKnown ? fields : [],
  }));

/** DIRECT pairs of a statement as `north.a > t0`. */
function ours({ sql, target }: Generated, areKnown: boolean, times: number[]): Set<string> {
  const inputs = inputsOf(areKnown);
  const begin = performance.now();
  const reading = readSql({ sql, inputs, outputs: [target] });
  times.push(performance.now() - begin);
  const edges = "edges" in reading ? reading.edges : [];
  return new Set(
    edges.filter(({ kind }) => kind === "DIRECT").map(({ source, target: to }) =>
      `${inputs[source.dataset - 1]!.name}.${source.path} > ${to.path}`.toLowerCase()
    ),
  );
}

type GoalCheck = (got: Set<string>, wanted: Set<string>) => boolean;
const isRight: GoalCheck = (got, wanted) => [...got].every((pair) => wanted.has(pair));
const isExact: GoalCheck = (got, wanted) => isRight(got, wanted) && got.size === wanted.size;

const wantedOf = ({ columns }: Generated) =>
  new Set(columns.flatMap(({ name, origins }) => [...origins].map((one) => `${one} > ${name}`)));

function percentOf(cases: Generated[], got: Set<string>[], meetsGoal: GoalCheck): number {
  const right = cases.filter((one, at) => meetsGoal(got[at]!, wantedOf(one)));
  return 100 * right.length / cases.length;
}

function share(
  name: string,
  cases: Generated[],
  got: Set<string>[],
  meetsGoal: GoalCheck,
  goal: string,
  met: ((ours: number) => boolean) | undefined,
): Row {
  const ours = percentOf(cases, got, meetsGoal);
  const given = {
    bench: "sql",
    engines: "embedded",
    case: name,
    unit: "%",
    ours,
    yardstick: null,
    goal,
  };
  return met ? row(given, (_, figure) => met(figure)) : row(given);
}

function time(name: string, ours: number, limit: number): Row {
  const given = {
    bench: "sql",
    engines: "embedded",
    case: name,
    unit: "ms",
    ours,
    yardstick: null,
  };
  return row({ ...given, goal: `≤ ${limit} ms` }, () => ours <= limit);
}

function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)]!;
}

/** Expressions over one table, as many as fit. */
function longSql(): string {
  const expressions = Array.from({ length: 3_000 }, (_, at) => `c${at % 20} + ${at} AS x${at}`);
  return `CREATE VIEW filled AS SELECT ${expressions.join(", ")} FROM wide`.slice(0, 65_000)
    .replace(/,[^,]*$/, " FROM wide");
}

function timeOf(sql: string, columns = 20): number {
  const fields = Array.from({ length: columns }, (_, at) => `c${at}`);
  const wide = { id: 1, catrn: "//postgresql/tables/wide", name: "wide", fields };
  const filled = { id: 2, catrn: "//postgresql/tables/filled", name: "filled", fields: [] };
  const begin = performance.now();
  readSql({ sql, inputs: [wide], outputs: [filled] });
  return performance.now() - begin;
}

/** The share that other readers get right, as the yardstick of the first two rows. */
function withPeers(rows: Row[], cases: Generated[]): Row[] {
  const programs = virtualEnvironment("sql-peers", "bench/sql/requirements.txt");
  const input = JSON.stringify({
    tables: sourceTables,
    cases: cases.map(({ query, columns, aliases }) => ({
      query,
      columns: columns.map(({ name }) => name),
      aliases,
    })),
  });
  const done = spawnSync(join(programs, "python"), ["bench/sql/peers.py"], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (done.status !== 0) throw new Error(`bench/sql/peers.py failed: ${done.stderr}`);
  const answers = JSON.parse(done.stdout) as Record<string, string[][]>;
  const others = Object.entries(answers).flatMap(([peer, found]) => {
    const got = found.map((pairs) => new Set(pairs));
    return [["exact", isExact], ["without a wrong edge", isRight]].map(([name, meetsGoal]) =>
      share(`${peer}: ${name as string}`, cases, got, meetsGoal as GoalCheck, "", undefined)
    );
  });
  return [...rows, ...others];
}
