import { createHash } from "node:crypto";
import type { Item } from "../../../connector.ts";
import { plainName, relationCatrn, type RelationName } from "../names.ts";

/** Days after which a statement that the server no longer lists counts as gone: its list is short, and can be reset. */
export const retainDays = 30;

/** A statement that fills tables from others. */
export interface FillingStatement {
  sql: string;
  inputs: RelationName[];
  outputs: RelationName[];
}

/** The entity of a statement, the same for all roles that run it. */
export function jobItem(source: string, { sql, inputs, outputs }: FillingStatement): Item {
  const [from, to] = [inputs, outputs].map((some) => some.map((one) => relationCatrn(source, one)));
  const id = createHash("sha256").update(JSON.stringify([sql, from, to])).digest("hex").slice(
    0,
    16,
  );
  return {
    catrn: `${source}/statements/${id}`,
    name: `${verbOf(sql)} ${outputs.map(plainName).join(", ")}`,
    type: "JOB",
    description: "A statement of the query history, as pg_stat_statements lists it",
    data_transformer: { inputs: from!, outputs: to!, sql },
  };
}

function verbOf(sql: string): string {
  if (/^CREATE\b/i.test(sql)) return "CREATE TABLE";
  if (/\bMERGE\s+INTO\b/i.test(sql)) return "MERGE INTO";
  return /^UPDATE\b/i.test(sql) ? "UPDATE" : "INSERT INTO";
}
