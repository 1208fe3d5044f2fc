import { statement } from "#metadata/postgres/statement.ts";

/** $1 hash: the id of that schema. */
export const schemaId = statement<{ id: number }>("dh-schema-id")`
  SELECT id FROM dh_schema WHERE hash = $1`;

/** $1 hash, $2 text, $3 how many there may be: the id of the schema, unless there are too many. */
export const addSchema = statement<{ id: number }>("dh-add-schema")`
  INSERT INTO dh_schema (hash, text)
  SELECT $1::text, $2::text WHERE (SELECT count(*) FROM dh_schema) < $3::int
  ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING id`;

/** $1 id: the text of a schema. */
export const schemaText = statement<{ text: string }>("dh-schema-text")`
  SELECT text FROM dh_schema WHERE id = $1::int`;
