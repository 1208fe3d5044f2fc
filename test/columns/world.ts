import { PostgresGraph } from "#graph/postgres/postgres.ts";
import type { Context } from "#platform/context.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import {
  field,
  type Harness,
  harness,
  type Item,
  table,
} from "#services/ingest-consumer/testing/harness.ts";
import { type Answer, type TestApi, testApi, testContext } from "#test/support/http/api.ts";

/** A source of a column edge: `table.column`, `table` alone for the whole, with ` ~` when INDIRECT. */
export type Arrow = [target: string, ...sources: string[]];

/** What ingestion writes and HTTP reads, over one database. */
export interface ColumnTestBed extends Harness {
  api: TestApi;
  /** The API with other budgets. */
  within(lineage: { "max-nodes"?: number; timeout?: number }): TestApi;
  id(name: string): Promise<number>;
  setStatus(name: string, status: string): Promise<void>;
  /** Edges of an answer as `a.x > b.y`, `~>` when INDIRECT, sorted. */
  walk(name: string, direction: "upstream" | "downstream", query?: string): Promise<string[]>;
  ask(name: string, direction: "upstream" | "downstream", query?: string): Promise<Answer>;
}

export const catrnOf = (name: string) => `//columns/${name}`;

/** `touched` is called with the ids of what ingestion has changed. */
export async function columnWorld(touched?: (ids: number[]) => void): Promise<ColumnTestBed> {
  const at = await harness(touched);
  const context = testContext(at, { graph: new PostgresGraph(at.db) });
  const routes = (given: Context) => [...lineageRoutes(given), ...statusRoutes(given)];
  const api = testApi(routes(context), context);
  const id = async (name: string) => (await at.entity(catrnOf(name))).id;
  const ask = async (name: string, direction: string, query = "", by = api) =>
    await by.get(`/api/datasets/${await id(name)}/columns/lineage/${direction}?${query}`);
  return {
    ...at,
    api,
    id,
    ask,
    within: (lineage) =>
      testApi(routes({
        ...context,
        config: { ...context.config, lineage: { ...context.config.lineage, ...lineage } },
      })),
    async setStatus(name, status) {
      const path = `/api/dataentities/${await id(name)}/statuses`;
      const answer = await api.put(path, { status: { status } });
      if (answer.status !== 200) {
        throw new Error(`${name} did not become ${status}: ${answer.text}`);
      }
    },
    async walk(name, direction, query) {
      const answer = await ask(name, direction, query);
      if (answer.status !== 200) throw new Error(answer.text);
      return arrowsOf(answer);
    },
    async drop() {
      await context.wakeups.close();
      await at.drop();
    },
  };
}

interface LineageAnswer {
  columns: { id: number; dataset_id: number; name: string | null }[];
  datasets: { id: number; catrn: string }[];
  edges: { source_id: number; target_id: number; kind: string }[];
}

/** The edges of an answer by names, sorted; a column without a name is its dataset as a whole. */
export function arrowsOf({ json }: Answer): string[] {
  const { columns, datasets, edges } = json as LineageAnswer;
  const catrns = new Map(datasets.map((d) => [d.id, d.catrn.slice(catrnOf("").length)]));
  const names = new Map(
    columns.map((c) => {
      const dataset = catrns.get(c.dataset_id);
      return [c.id, c.name === null ? dataset : `${dataset}.${c.name}`];
    }),
  );
  return edges.map((e) =>
    `${names.get(e.source_id)} ${e.kind === "DIRECT" ? ">" : "~>"} ${names.get(e.target_id)}`
  ).sort();
}

const placeOf = (text: string) => {
  const [dataset, ...path] = text.split(".");
  return {
    dataset_catrn: catrnOf(dataset!),
    ...(path.length > 0 ? { field: path.join(".") } : {}),
  };
};

/** A job that declares these column edges; without `arrows` it says nothing of columns. */
export function columnJob(
  name: string,
  arrows?: Arrow[],
  facets: Record<string, unknown> = {},
): Item {
  const column_lineage = arrows?.map(([target, ...sources]) => ({
    target: placeOf(target),
    sources: sources.map((source) => ({
      ...placeOf(source.replace(/ ~$/, "")),
      ...(source.endsWith(" ~") ? { type: "INDIRECT" } : {}),
      ...facets,
    })),
  }));
  return {
    catrn: catrnOf(name),
    name,
    type: "JOB",
    data_transformer: { inputs: [], outputs: [], ...(column_lineage ? { column_lineage } : {}) },
  };
}

/** A table with these columns. */
export function columnTable(name: string, ...fields: string[]): Item {
  const field_list = fields.map((f) => field(`${catrnOf(name)}/columns/${f}`, { name: f }));
  return table(catrnOf(name), { dataset: { field_list } });
}
