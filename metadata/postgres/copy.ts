import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from, to } from "pg-copy-streams";

/** A table of a schema with the columns that are copied. */
interface CopiedTable {
  schema: string;
  table: string;
  columns: string[];
}

/** Milliseconds that one statement of a copying session may take. */
const statementMs = 60 * 60_000;

/** A session of its own for copying: statements may take an hour. The caller ends it. */
export async function copySession(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    application_name: applicationName,
  });
  // A connection that breaks between two statements reports it here; the next statement fails too.
  client.on("error", () => {});
  await client.connect();
  keepReading(client);
  return client;
}

/**
 * A pause leaves the read that is in flight alone, as in Node. Deno's `pause` ends the loop of reads and the next
 * `readable` listener starts another one; both then read into one buffer, and what arrives is overwritten.
 */
function keepReading(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Readable } }).connection;
  stream.pause = Readable.prototype.pause;
}

/** The rows of a table in PostgreSQL's text format, which every release of the server reads. */
export function copyOut(client: pg.Client, { columns, ...table }: CopiedTable): Readable {
  // A query, because COPY of a partitioned table is refused before PostgreSQL 18.
  return client.query(
    to(`COPY (SELECT ${listed(columns)} FROM ${named(table)}) TO STDOUT`),
  );
}

/** Adds rows in the format of `copyOut` to a table. */
export async function copyIn(
  client: pg.Client,
  { columns, ...table }: CopiedTable,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  const sink = client.query(from(`COPY ${named(table)} (${listed(columns)}) FROM STDIN`));
  await pipeline(rows, sink);
}

const listed = (columns: string[]) => columns.map(pg.escapeIdentifier).join(", ");

/** The name of a table for SQL. */
export const named = ({ schema, table }: { schema: string; table: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
