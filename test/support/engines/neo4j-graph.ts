import neo4j from "neo4j-driver";
import { Neo4jGraph } from "#graph/neo4j/neo4j.ts";
import type { EdgePair, ProjectedGraph } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { neo4jOptions } from "#test/support/engines/engines.ts";
import type { GraphUnderTest } from "#test/support/engines/lineage-graph.ts";

/** A graph of `instance` in the shared Neo4j, and what removes all traces of that instance. */
export function sharedNeo4j(instance: string): { graph: Neo4jGraph; remove(): Promise<void> } {
  const graph = new Neo4jGraph({ ...neo4jOptions(), instance });
  return {
    graph,
    async remove() {
      await graph.close();
      await removeInstance(instance);
    },
  };
}

/** Runs Cypher against the shared Neo4j, past the port. */
export async function cypher(
  text: string,
  parameters: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const { url, username, password } = neo4jOptions();
  const driver = neo4j.driver(url, neo4j.auth.basic(username, password), {
    disableLosslessIntegers: true,
  });
  try {
    const { records } = await driver.executeQuery(text, parameters);
    return records.map((record) => record.toObject());
  } finally {
    await driver.close();
  }
}

async function removeInstance(instance: string): Promise<void> {
  await cypher(
    `MATCH (n) WHERE any(label IN labels(n) WHERE label ENDS WITH $suffix) DETACH DELETE n`,
    { suffix: `:${instance}` },
  );
  for (const name of ["entity_id", "projection_one"]) {
    await cypher(`DROP CONSTRAINT \`${name}:${instance}\` IF EXISTS`);
  }
}

/** Neo4j over a metadata store of its own; `settle` writes what is new as one batch. */
export async function neo4jUnderTest(): Promise<GraphUnderTest> {
  const { db, drop, name } = await testDatabase();
  const { graph, remove } = sharedNeo4j(name);
  await graph.ensureSchema();
  await graph.claim(1);
  return {
    graph,
    db,
    settle: () => writeNews(db, graph),
    async close() {
      await remove();
      await drop();
    },
  };
}

async function writeNews(db: Database, graph: ProjectedGraph): Promise<void> {
  const [row] = await db.query<{ position: number; ids: number[] }>(
    `SELECT lineage_head() AS position, array(
       SELECT DISTINCT unnest(entity_ids) FROM lineage_outbox WHERE position > $1) AS ids`,
    [await graph.position(2_000)],
  );
  const entities = row!.ids;
  const edges = await db.query<{ p: number; c: number }>(
    `SELECT DISTINCT parent_id AS p, child_id AS c FROM lineage_edge
     WHERE live AND (parent_id = ANY ($1) OR child_id = ANY ($1))`,
    [entities],
  );
  const pairs = edges.map(({ p, c }): EdgePair => [p, c]);
  await graph.apply(1, { position: row!.position, entities, edges: pairs });
}
