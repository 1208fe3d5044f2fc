import type { Database } from "#metadata/postgres/database.ts";
import { inTurn } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject } from "../support/subject.ts";
import { type ColumnShape, loadColumns } from "./load.ts";

export interface ColumnsSize {
  shapes: ColumnShape[];
  runs: number;
  /** Maximum number of milliseconds spent on one case. */
  budgetMs: number;
}

export const columnsSizes: Record<"small" | "full", ColumnsSize> = {
  small: {
    shapes: [{ layers: 3, tables: 2, columns: 10 }, { layers: 2, tables: 1, columns: 5 }],
    runs: 3,
    budgetMs: 2_000,
  },
  full: {
    shapes: [
      { layers: 3, tables: 4, columns: 25 },
      { layers: 5, tables: 10, columns: 50 },
      { layers: 9, tables: 25, columns: 100 },
    ],
    runs: 40,
    budgetMs: 5_000,
  },
};

/** The column lineage of a table over HTTP, beside one bare query that finds the same columns and edges. */
export async function columnsBench(engines: EngineSet, size: ColumnsSize): Promise<Row[]> {
  const subject = await startSubject(engines);
  const rows: Row[] = [];
  try {
    for (const shape of size.shapes) {
      const dataset = await loadColumns(subject.db, shape);
      const bare = await bareQuery(subject.db, dataset);
      const found = await ask(subject.url, dataset);
      if (found.edges !== bare.edges || found.columns !== bare.columns) {
        throw new Error(`${JSON.stringify(found)} over HTTP, ${JSON.stringify(bare)} bare`);
      }
      const { http, query } = await inTurn({
        http: () => ask(subject.url, dataset),
        query: () => bareQuery(subject.db, dataset),
      }, { runs: size.runs, warmup: 3, budgetMs: size.budgetMs });
      const common = { bench: "columns", engines, unit: "ms", ours: http.p50 };
      const name = `${bare.columns} columns, ${bare.edges} edges`;
      rows.push(row(
        { ...common, case: name, yardstick: query.p50, goal: "≤ 1.5 × or ≤ bare + 3 ms" },
        (ratio, ours) => ratio! <= 1.5 || ours <= query.p50 + 3,
      ));
      if (bare.columns <= 2_500) {
        rows.push(row(
          { ...common, case: `${name}, whole answer`, yardstick: null, goal: "< 100 ms" },
          (_, ours) => ours < 100,
        ));
      }
    }
  } finally {
    await subject.stop();
  }
  return rows;
}

interface ResultCounts {
  columns: number;
  edges: number;
}

async function ask(url: string, dataset: number): Promise<ResultCounts> {
  const path = `/api/datasets/${dataset}/columns/lineage/upstream?lineage_depth=100`;
  const response = await fetch(url + path, {
    headers: { "accept-encoding": "identity" },
    signal: AbortSignal.timeout(60_000),
  });
  const { columns, edges } = await response.json() as { columns: unknown[]; edges: unknown[] };
  return { columns: columns.length, edges: edges.length };
}

const walk = `WITH RECURSIVE walk (id) AS (
  SELECT id FROM dataset_column WHERE dataset_id = $1
  UNION
  SELECT e.source_id FROM walk w JOIN column_edge e ON e.live AND e.target_id = w.id AND e.kind = 0
)`;

/** What the answer is made of, as rows: columns with their fields, and edges. */
async function bareQuery(db: Database, dataset: number): Promise<ResultCounts> {
  const columns = await db.query(
    `${walk}
     SELECT c.id, c.dataset_id, coalesce(f.name, c.path) AS name, f.id AS field_id, f.type
       FROM walk w JOIN dataset_column c ON c.id = w.id
       LEFT JOIN dataset_field f ON f.dataset_id = c.dataset_id AND search_lower(f.name) = c.folded`,
    [dataset],
  );
  const edges = await db.query(
    `${walk}
     SELECT e.source_id, e.target_id, e.kind, e.subtype, e.masking, e.description, e.origin,
            array_agg(e.establisher_id) AS establishers, min(e.since) AS since
       FROM walk w JOIN column_edge e ON e.live AND e.target_id = w.id AND e.kind = 0
      GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    [dataset],
  );
  return { columns: columns.length, edges: edges.length };
}
