import { sha256 } from "#kit/canonical.ts";

/** A row with unknown columns. */
export type Row = Record<string, unknown>;

declare const row: unique symbol;

/** SQL that each connection prepares once under its name; `R` is the type of its rows. */
export interface Statement<R = Row> {
  readonly name: string;
  readonly text: string;
  /** It is planned for its values each time instead. */
  readonly eachTime?: true;
  readonly [row]?: R;
}

/** The row of a statement that returns a complete JSON text. */
export interface JsonRow {
  json: string;
}

const declared = new Map<string, Statement>();

/** All statements that loaded files have declared, by name. */
export function declaredStatements(): ReadonlyMap<string, Statement> {
  return declared;
}

/** PostgreSQL truncates names beyond 63 bytes, and the driver warns of them. */
const allowed = /^[a-z][a-z0-9_-]{0,62}$/;

/**
 * Declares a statement, once, at the top of a file. A connection cannot prepare two texts under one
 * name, so a duplicate name throws when the file is loaded. Only fixed fragments may be interpolated
 * into the text; values are bound when the statement is run.
 */
export function statement<R = Row>(name: string) {
  if (!allowed.test(name)) {
    throw new Error(`"${name}" is no name of a statement: ${allowed.source}`);
  }
  if (declared.has(name)) throw new Error(`There are two statements with the name ${name}`);
  declared.set(name, { name, text: "" });
  return (texts: TemplateStringsArray, ...parts: (string | number)[]): Statement<R> => {
    const text = texts.map((text, at) => `${text}${parts[at] ?? ""}`).join("");
    const made = { name, text };
    declared.set(name, made);
    return made;
  };
}

/**
 * Declares, as `statement` does, one that is planned for its values each time: for arrays whose sizes differ by orders of
 * magnitude. PostgreSQL keeps the plan of a prepared statement until a table is analysed; one that it made while tables
 * were small reads all of them, and compares each row with each element.
 */
export function plannedEachTime<R = Row>(name: string) {
  const declare = statement<R>(name);
  return (...given: Parameters<typeof declare>): Statement<R> => (
    { ...declare(...given), eachTime: true }
  );
}

/**
 * A statement built from fixed fragments for a request; there are few variants. Its name contains a digest
 * of its text, so that no two texts share one. Compare columns with what a sub-select made of bound values: PostgreSQL
 * plans once for all values, and would compute an expression of them again for each row.
 * @param kind a few letters that say what it is for
 */
export function composedStatement<R = Row>(kind: string, text: string): Statement<R> {
  return { name: `${kind}-${sha256(text).slice(0, 16)}`, text };
}

/** The values of each of these members, as one parameter each: for statements that take rows by `unnest`. */
export function columnsOf<T, K extends keyof T>(rows: readonly T[], ...members: K[]): T[K][][] {
  // lookup-ok -- members that the type has
  return members.map((member) => rows.map((row) => row[member]));
}

/** Runs statements with bound parameters: the pool, or one transaction. */
export interface Queryable {
  /** A `Statement` is prepared once per connection; a text is planned for its values each time. */
  query<R = Row>(statement: Statement<R> | string, values?: unknown[]): Promise<R[]>;
}
