import { type AppError, hasDependants } from "#kit/errors.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { type Dependants, dependantsOf, readNames } from "#services/api/dependants.queries.ts";

/**
 * 400 (USR004) for a row that cannot be deleted while others refer to it; `message` says what to do first, and the first of them
 * follow by name.
 */
export async function readDependants(
  db: Database,
  message: string,
  question: Statement<Dependants>,
  id: number,
): Promise<AppError> {
  const found = await dependantsOf(db, question, id);
  // They may be gone by now: then another attempt is not refused.
  const named = found.map(inWords).join("; ");
  return hasDependants(named ? `${message} (${named})` : message);
}

/** `terms: Customer, Order and others`. */
function inWords({ what, names }: Dependants): string {
  const others = names.length === readNames ? " and others" : "";
  return `${what}: ${names.slice(0, readNames - 1).join(", ")}${others}`;
}
