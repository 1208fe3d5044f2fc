import { inTurn } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { layered } from "../lineage/graphs.ts";
import { load } from "../lineage/load.ts";

export interface McpSize {
  /** Entities of the layered graph that is asked about. */
  graph: number;
  runs: number;
}

export const mcpSizes = {
  small: { graph: 200, runs: 5 },
  full: { graph: 10_000, runs: 200 },
} as const satisfies Record<string, McpSize>;

/** Maximum number of milliseconds that a tool may take beyond the same reading over HTTP. */
const goalMs = 10;

/** Tools of assistants next to the operations that tell the same, from one server in turn. */
export async function mcpBench(engines: EngineSet, size: McpSize): Promise<Row[]> {
  const subject = await startSubject(engines);
  try {
    const [id] = await load(subject.db, "mcp", layered(size.graph), engines === "distributed");
    await subject.db.query("SELECT refresh_search_documents(ARRAY(SELECT id FROM data_entity))");
    const pairs = pairsOf(id!);
    const rows: Row[] = [];
    for (const [name, { given, path }] of Object.entries(pairs)) {
      const times = await inTurn({
        tool: () => called(subject, name, given),
        operation: () => read(subject, path),
      }, { runs: size.runs, warmup: 5, budgetMs: 20_000 });
      const more = times.tool.p50 - times.operation.p50;
      rows.push(row({
        bench: "mcp",
        engines,
        case: `${name}, p50`,
        unit: "ms",
        ours: times.tool.p50,
        yardstick: times.operation.p50,
        goal: `≤ ${goalMs} ms more`,
        note: `${more.toFixed(2)} ms more`,
      }, () => more <= goalMs));
    }
    return rows;
  } finally {
    await subject.stop();
  }
}

/** Each tool with the operation that reads the same. */
function pairsOf(id: number): Record<string, { given: object; path: string }> {
  return {
    get_entities: { given: { refs: [id] }, path: `/api/dataentities/details?ids=${id}` },
    get_lineage: {
      given: { ref: id, direction: "downstream", depth: 5 },
      path: `/api/dataentities/${id}/lineage/downstream?lineage_depth=5`,
    },
    impact_of: {
      given: { ref: id },
      path: `/api/dataentities/${id}/lineage/downstream?lineage_depth=1000`,
    },
    list_alerts: { given: { ref: id }, path: `/api/dataentities/${id}/alerts/list?status=OPEN` },
    get_runs: { given: { ref: id }, path: `/api/dataentities/${id}/runs?page=1&size=10` },
  };
}

async function read(subject: Subject, path: string): Promise<void> {
  const response = await fetch(`${subject.url}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

async function called(subject: Subject, name: string, given: object): Promise<void> {
  const params = { name, arguments: given };
  const response = await fetch(`${subject.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(`${name}: ${text}`);
}
