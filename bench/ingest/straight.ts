import process from "node:process";
import { Connection, integers } from "#graph/neo4j/connection.ts";
import { silentLogger } from "#kit/log.ts";
import { runningEmbedded } from "#metadata/postgres/embedded.ts";
import { Database } from "#metadata/postgres/database.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";
import type { Subject } from "../support/subject.ts";
import { baseBatch, baseOf, type Batch, tagNames } from "./items.ts";
import { rowsOf, type StraightBatch } from "./rows.ts";
import * as sql from "./straight.queries.ts";

/**
 * The yardstick: a database with the same schema on the subject's own server (hence equal durability),
 * written by `unnest` in one transaction per batch, and Neo4j written by `UNWIND` when the subject projects
 * into it. It validates nothing, compares nothing and keeps no log of its input.
 */
export interface StraightWriter {
  db: Database;
  prepare(batch: Batch): Promise<StraightBatch>;
  write(batch: StraightBatch): Promise<void>;
  close(): Promise<void>;
}

export async function straightWriter(subject: Subject, sources: string[]): Promise<StraightWriter> {
  const url = await ensureDatabase(
    runningEmbedded(subject.dataDir)!,
    `${subject.instance}_straight`,
  );
  await migrate(url, silentLogger);
  const db = new Database({
    url,
    max: 10,
    statementTimeoutMs: 120_000,
    applicationName: "bench yardstick",
  });
  const graph = subject.engines === "distributed" ? await straightGraph(subject.instance) : null;
  const known = new Map<string, { source: number; base: number }>();
  const writer: StraightWriter = {
    db,
    prepare(batch) {
      const { source, base } = known.get(batch.source)!;
      return rowsOf(db, batch, source, base);
    },
    async write({ statements, pairs }) {
      await db.transaction(async (tx) => {
        await tx.query("SET LOCAL plan_cache_mode = force_custom_plan");
        for (const [text, values] of statements) await tx.query(prepared(text), values);
      });
      await graph?.write(pairs);
    },
    async close() {
      await graph?.close();
      await db.close();
    },
  };
  await shared(db);
  for (const source of sources) known.set(source, await based(db, source, writer));
  return writer;
}

const known = new Map<string, Statement>();

/** A prepared statement for each query text, as in the subject. */
function prepared(text: string): Statement {
  if (!known.has(text)) known.set(text, statement(`straight-${known.size}`)`${text}`);
  return known.get(text)!;
}

/** Inserts names that all batches share before anything is timed. */
async function shared(db: Database): Promise<void> {
  await db.query("INSERT INTO tag (name) SELECT unnest($1::text[])", [tagNames]);
  await db.query(
    `INSERT INTO metadata_field (name, type, origin) VALUES ('owner_team', 'STRING', 'EXTERNAL'),
       ('row_count', 'INTEGER', 'EXTERNAL'), ('partitioned', 'BOOLEAN', 'EXTERNAL')`,
  );
}

async function based(db: Database, source: string, writer: StraightWriter) {
  const [row] = await db.query<{ id: number }>(
    "INSERT INTO data_source (catrn, name) VALUES ($1, $1) RETURNING id",
    [source],
  );
  await writer.write(await rowsOf(db, baseBatch(source), row!.id, null));
  const [base] = await db.query<{ id: number }>("SELECT id FROM data_entity WHERE catrn = $1", [
    baseOf(source),
  ]);
  return { source: row!.id, base: base!.id };
}

async function straightGraph(instance: string) {
  const connection = new Connection({
    url: process.env.TEST_NEO4J_URL!,
    username: "neo4j",
    password: process.env.TEST_NEO4J_PASSWORD ?? "",
    instance,
  });
  const label = `Straight:${instance}`;
  const change = (text: string, parameters = {}) =>
    connection.write(async (tx) => void await tx.run(text, integers(parameters)), 60_000);
  await change(
    `CREATE CONSTRAINT \`straight:${instance}\` FOR (n:\`${label}\`) REQUIRE n.id IS UNIQUE`,
  );
  const text = sql.unwind(label, `FEEDS_${label}`);
  return {
    write: (pairs: [number, number][]) => change(text, { pairs }),
    async close() {
      await change(`MATCH (n:\`${label}\`) DETACH DELETE n`);
      await change(`DROP CONSTRAINT \`straight:${instance}\``);
      await connection.close();
    },
  };
}

/** Throws unless both databases hold equally many rows of each kind; else the comparison is unfair. */
export async function requireSameRows(subject: Database, straight: Database): Promise<void> {
  const [ours, theirs] = await Promise.all([subject, straight].map((db) => db.query(sql.counts)));
  const differing = Object.entries(ours![0]!).filter(([name, n]) => n !== theirs![0]![name]);
  if (differing.length === 0) return;
  const differences = differing.map(([name, n]) => `${name} ${n} and ${theirs![0]![name]}`).join(
    ", ",
  );
  throw new Error(`the yardstick writes other rows than the subject: ${differences}`);
}
