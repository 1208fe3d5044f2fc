import { AppError, notFound } from "#kit/errors.ts";
import type { Database } from "#metadata/postgres/database.ts";
import * as stored from "#platform/datahub/schemas.ts";
import { objectOf, textOf } from "#platform/datahub/values.ts";

// What Kafka sinks of DataHub ask of a schema registry, as Confluent's answers it.

/** As `POST /subjects/{subject}/versions`. Throws 422 for a body without a schema of Avro. */
export async function registerSchema(db: Database, body: unknown): Promise<{ id: number }> {
  const given = objectOf(body);
  const schema = textOf(given?.schema);
  const type = textOf(given?.schemaType) ?? "AVRO";
  if (schema === undefined || type !== "AVRO") throw invalid("schema must be a schema of Avro");
  if (schema.length > stored.maxSchema) {
    throw invalid(`schema must be at most ${stored.maxSchema} long (was ${schema.length})`);
  }
  if (schema.includes("\0") || !schema.isWellFormed()) throw invalid("schema must be Unicode text");
  return { id: await stored.registerSchema(db, schema) };
}

/** As `GET /schemas/ids/{id}`. Throws 404 for an unknown id. */
export async function readSchema(db: Database, id: number): Promise<{ schema: string }> {
  const schema = await stored.registeredSchema(db, id);
  if (schema === undefined) throw notFound("Schema", String(id));
  return { schema };
}

const invalid = (message: string) =>
  new AppError(message, { status: 422, code: "USR001", resolvable: true });
