import { type AppError, hasDependants } from "#kit/errors.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";

/** Things of one kind that keep another from being deleted, by name. */
interface Dependants {
  /** Such as `data sources`. */
  what: string;
  names: string[];
}

/** Names of one kind that are read: one more than are shown, to know whether there are others. */
const maxReadNames = 6;
/** Maximum length of a name in messages. */
const longestName = 100;

/**
 * A statement for what refers to row $1 of the kind `of`, kind by kind without the empty ones. `kinds` has for each kind
 * of things the SQL of their `name`; as few of them are read as are shown, however many there are.
 */
export function dependants(of: string, kinds: Record<string, string>): Statement<Dependants> {
  const each = Object.entries(kinds).map(([what, rows], place) => `
    SELECT ${place} AS place, '${what}' AS what, ARRAY(
      SELECT left(d.name, ${longestName}) FROM (${rows} LIMIT ${maxReadNames}) d ORDER BY 1) AS names`);
  return statement<Dependants>(`${of}-dependants`)`
  SELECT k.what, k.names FROM (${
    each.join(" UNION ALL")
  }) k WHERE k.names <> '{}' ORDER BY k.place`;
}

/**
 * 400 (USR004) for a row that cannot be deleted while others refer to it; `message` says what to do first, and the first
 * of them follow by name.
 */
export async function dependantsError(
  db: Database,
  message: string,
  question: Statement<Dependants>,
  id: number,
): Promise<AppError> {
  const found = await db.query(question, [id]);
  // They may be gone by now: then another attempt is not refused.
  const named = found.map(inWords).join("; ");
  return hasDependants(named ? `${message} (${named})` : message);
}

/** `terms: Customer, Order and others`. */
function inWords({ what, names }: Dependants): string {
  const others = names.length === maxReadNames ? " and others" : "";
  return `${what}: ${names.slice(0, maxReadNames - 1).join(", ")}${others}`;
}

/** How names that must be unique are compared, for messages that say that one is taken. */
export const spelled = "in upper or lower case or any Unicode normal form";
