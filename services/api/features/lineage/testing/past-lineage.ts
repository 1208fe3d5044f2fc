import { afterAll, beforeAll } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type Answer, testApi, testContext } from "#test/support/http/api.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type Past, past } from "./past.ts";

const hour = 3_600_000;
const start = Date.now();

/** The time that a number of hours ago was, as answers write it; `ms` later. */
export const ago = (hours: number, ms = 0) => new Date(start - hours * hour + ms).toISOString();

/** Lineage of past times over the file's own database. */
export function pastLineage() {
  let t: TestDatabase;
  let write: Past;
  let get: (path: string) => Promise<Answer>;
  beforeAll(async () => {
    t = await testDatabase();
    write = past(t.db);
    const context = testContext(t, { graph: new PostgresGraph(t.db) });
    get = testApi(lineageRoutes(context)).get;
  });
  afterAll(() => t.drop());
  return {
    get database() {
      return t;
    },
    get db() {
      return t.db;
    },
    get write() {
      return write;
    },
    get: (path: string) => get(path),
    down(id: number, asOf: string, more = "") {
      const query = `lineage_depth=5&as_of=${encodeURIComponent(asOf)}${more}`;
      return get(`/api/dataentities/${id}/lineage/downstream?${query}`);
    },
    /** Two entities that were created long before. */
    async two() {
      const { a, b } = await insertEntities(t.db, ["a", "b"]) as Record<string, number>;
      await write.created([a!, b!], ago(100));
      return { a: a!, b: b! };
    },
  };
}

/** The edges of an answer, as `source>target`. */
export const pairsOf = ({ json }: Answer): string[] =>
  json.downstream.edges.map((e: Record<string, number>) => `${e.source_id}>${e.target_id}`).sort();

export const nodeOf = ({ json }: Answer, id: number) =>
  json.downstream.nodes.find((n: { id: number }) => n.id === id);
