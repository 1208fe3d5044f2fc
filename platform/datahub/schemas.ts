import { AppError } from "#kit/errors.ts";
import { sha256 } from "#kit/canonical.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import * as sql from "./schemas.queries.ts";

/** Longest schema, UTF-16 units; that of a proposal has 15,000. */
export const maxSchema = 1_000_000;
/** Maximum number of schemas: a release of DataHub's client has one of proposals and one of events. */
export const maxSchemas = 1_000;
/** Largest id of a schema. */
export const maxSchemaId = 2 ** 31 - 1;

/** The id of a schema, which is stored if it is new. Throws 422 when it cannot be. */
export async function registerSchema(db: Queryable, text: string): Promise<number> {
  const hash = sha256(text);
  const [known] = await db.query(sql.schemaId, [hash]);
  if (known) return known.id;
  const [made] = await db.query(sql.addSchema, [hash, text, maxSchemas]);
  if (made) return made.id;
  throw new AppError(`At most ${maxSchemas} schemas are stored`, { status: 422, code: "USR003" });
}

/** The text of a schema that was registered here; undefined for an unknown id. */
export async function registeredSchema(db: Queryable, id: number): Promise<string | undefined> {
  if (!Number.isInteger(id) || id < 0 || id > maxSchemaId) return undefined;
  return (await db.query(sql.schemaText, [id]))[0]?.text;
}
