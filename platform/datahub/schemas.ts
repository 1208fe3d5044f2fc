import { AppError } from "#kit/errors.ts";
import { sha256 } from "#kit/canonical.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Longest schema, UTF-16 units; that of a proposal has 15,000. */
export const maxSchema = 1_000_000;
/** Maximum number of schemas: a release of DataHub's client has one of proposals and one of events. */
export const maxSchemas = 1_000;
/** Largest id of a schema. */
export const maxSchemaId = 2 ** 31 - 1;

/** The id of a schema, which is stored if it is new. Throws 422 when it cannot be. */
export async function registerSchema(db: Queryable, text: string): Promise<number> {
  const hash = sha256(text);
  const [known] = await db.query(schemaId, [hash]);
  if (known) return known.id;
  const [made] = await db.query(addSchema, [hash, text, maxSchemas]);
  if (made) return made.id;
  throw new AppError(`At most ${maxSchemas} schemas are stored`, { status: 422, code: "USR003" });
}

/** The text of a schema that was registered here; undefined for an unknown id. */
export async function registeredSchema(db: Queryable, id: number): Promise<string | undefined> {
  if (!Number.isInteger(id) || id < 0 || id > maxSchemaId) return undefined;
  return (await db.query(schemaText, [id]))[0]?.text;
}

/** $1 hash: the id of that schema. */
const schemaId = statement<{ id: number }>("dh-schema-id")`
  SELECT id FROM dh_schema WHERE hash = $1`;

/** $1 hash, $2 text, $3 how many there may be: the id of the schema, unless there are too many. */
const addSchema = statement<{ id: number }>("dh-add-schema")`
  INSERT INTO dh_schema (hash, text)
  SELECT $1::text, $2::text WHERE (SELECT count(*) FROM dh_schema) < $3::int
  ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING id`;

/** $1 id: the text of a schema. */
const schemaText = statement<{ text: string }>("dh-schema-text")`
  SELECT text FROM dh_schema WHERE id = $1::int`;
