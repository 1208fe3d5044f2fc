import { PostgresHistory } from "#graph/postgres/history.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import type { Direction } from "#graph/port.ts";
import { layered } from "../lineage/graphs.ts";
import { load } from "../lineage/load.ts";
import { inTurn } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";

export interface TimeSize {
  entities: number;
  /** Intervals of the past for each edge of today. */
  intervals: number;
  depths: number[];
  runs: number;
  budgetMs: number;
}

export const timeSizes: Record<"small" | "full", TimeSize> = {
  small: { entities: 1_000, intervals: 2, depths: [1, 5], runs: 3, budgetMs: 2_000 },
  full: { entities: 100_000, intervals: 2, depths: [1, 5, 20, 40], runs: 40, budgetMs: 10_000 },
};

const dayMs = 86_400_000;

/** Edges of today began within the last year, and each was declared before, now and then. */
const age = `UPDATE lineage_edge SET since = now() - random() * interval '365 days'`;
const remember = `
  INSERT INTO lineage_edge_history (establisher_id, parent_id, child_id, since, until)
  SELECT establisher_id, parent_id, child_id, at, least(now(), at + random() * interval '60 days')
    FROM (SELECT e.*, now() - random() * interval '330 days' AS at
            FROM lineage_edge e, generate_series(1, $1::int)) e`;

/**
 * Walks as of past times next to the walk of today, both in PostgreSQL, where the history is on either set of engines.
 * The walk of now is held to a goal; one of another time reaches something else.
 */
export async function timeBench(engines: EngineSet, size: TimeSize): Promise<Row[]> {
  const subject = await startSubject(engines);
  try {
    const ids = await load(subject.db, "time", layered(size.entities), false);
    await subject.db.query(age);
    await subject.db.query(remember, [size.intervals]);
    await subject.db.query("VACUUM ANALYZE lineage_edge");
    await subject.db.query("VACUUM ANALYZE lineage_edge_history");
    const rows: Row[] = [];
    for (const depth of size.depths) {
      rows.push(...await compare(subject, size, ids[0]!, "downstream", depth));
      rows.push(...await compare(subject, size, ids.at(-1)!, "upstream", depth));
    }
    return rows;
  } finally {
    await subject.stop();
  }
}

async function compare(
  { db, engines }: Subject,
  { runs, budgetMs }: TimeSize,
  root: number,
  direction: Direction,
  depth: number,
): Promise<Row[]> {
  const [graph, history] = [new PostgresGraph(db), new PostgresHistory(db)];
  const walkRequest = { roots: [root], direction, depth, maxNodes: 100_000, timeoutMs: 60_000 };
  const [now, before] = [new Date(), new Date(Date.now() - 100 * dayMs)];
  const nodes = (await graph.walk(walkRequest)).degrees.size;
  const nodesThen = (await history.walk(walkRequest, before)).degrees.size;
  const times = await inTurn({
    live: () => graph.walk(walkRequest),
    now: () => history.walk(walkRequest, now),
    before: () => history.walk(walkRequest, before),
  }, { runs, warmup: 2, budgetMs });
  const max = nodes <= 10_000 ? 2.5 : 3.5;
  const resultRow = (what: string, ours: number, goal = "", note?: string) =>
    row({
      bench: "time",
      engines,
      case: `${direction}, depth ${depth}, ${what}`,
      unit: "ms",
      ours,
      yardstick: times.live.p50,
      goal,
      note,
    }, goal === "" ? undefined : (ratio) => ratio! <= max);
  return [
    resultRow(`as of now (${nodes} nodes)`, times.now.p50, `≤ ${max} ×`),
    resultRow("as of 100 days ago", times.before.p50, "", `${nodesThen} nodes`),
  ];
}
