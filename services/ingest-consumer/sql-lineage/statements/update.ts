import { Cursor, partsByComma } from "../text/cursor.ts";
import { SourceText } from "../text/source.ts";
import type { Token } from "../text/tokens.ts";
import { type Statement, targetOf } from "./statement.ts";

const modifiers = new Set(["UPDATE", "LOW_PRIORITY", "IGNORE", "ONLY", "OR", "REPLACE"]);
const ends = new Set(["RETURNING", "OPTION", "ORDER", "LIMIT", "OUTPUT"]);

interface Assignment {
  column: Token[];
  value: Token[];
}

/** An UPDATE, as the query that makes the values that it sets. */
export function updated(cursor: Cursor, ctes: Token[], sql: string): Statement {
  while (modifiers.has(cursor.word()) || cursor.take("TOP")) cursor.at++;
  const set = cursor.find(({ word }) => word === "SET");
  if (set < 0) return { kind: "unread", reason: "syntax" };
  const tables = cursor.tokens.slice(cursor.at, set);
  const clauses = clausesOf(cursor, set + 1);
  const all = assignmentsOf(clauses.set);
  const [first] = all;
  // Those of another table of a join are left out, and variables.
  const qualifier = all.map(({ column }) => qualifierOf(column)).find((one) => one !== "") ?? "";
  const assignments = all.filter(({ column }) =>
    column[0]?.word.startsWith("@") !== true && ["", qualifier].includes(qualifierOf(column))
  );
  if (!first || !all.every(({ column, value }) => column.length > 0 && value.length > 0)) {
    return { kind: "unread", reason: "syntax", name: new Cursor(tables).name() ?? [] };
  }
  if (assignments.length === 0) return { kind: "none" };
  const from = clauses.from;
  const name = targetName(tables, from, first.column);
  if (!name) return { kind: "unread", reason: "syntax" };
  const isAlias = from.length > 0 && aliased(from, new Cursor(tables).name() ?? []) !== undefined;
  const query = new SourceText().addTokens(sql, ctes).add("SELECT ");
  assignments.forEach(({ value }, at) => query.add(at > 0 ? ", " : "").addTokens(sql, value));
  query.add("FROM ");
  if (!isAlias) query.addTokens(sql, tables).add(from.length > 0 ? ", " : "");
  query.addTokens(sql, from).addTokens(sql, clauses.where);
  const columns = assignments.map(({ column }) => column.at(-1)!.text);
  return {
    kind: "write",
    into: targetOf(name, { columns, by: "position", seesItself: true }),
    query,
  };
}

const qualifierOf = (column: Token[]) => column.length > 2 ? column[0]!.text.toLowerCase() : "";

function clausesOf(cursor: Cursor, start: number) {
  const { tokens } = cursor;
  const at = (word: string) => cursor.find((one) => one.word === word, start);
  const end = cursor.find(({ word }) => ends.has(word), start);
  const bounds = [at("FROM"), at("WHERE"), end].filter((one) => one >= 0).sort((a, b) => a - b);
  const part = (from: number, skip: number) => {
    if (from < 0) return [];
    return tokens.slice(from + skip, bounds.find((one) => one > from) ?? tokens.length);
  };
  return { set: part(start - 1, 1), from: part(at("FROM"), 1), where: part(at("WHERE"), 0) };
}

/** `a = x`, `a += x`, and the pairs of `(a, b) = (x, y)`; those that set a default are left out. */
function assignmentsOf(tokens: Token[]): Assignment[] {
  return partsByComma(tokens).flatMap((part): Assignment[] => {
    const equals = new Cursor(part).find(({ word }) => word === "=");
    const left = part.slice(0, Math.max(0, equals));
    const right = part.slice(equals + 1);
    if (left[0]?.word === "(") return pairs(left, right);
    if (right.length === 1 && right[0]!.word === "DEFAULT") return [];
    const column = left.filter(({ kind, word }) => kind !== "mark" || word === ".");
    const operator = left.slice(column.length);
    // `a += x` sees the column itself.
    return [{ column, value: operator.length > 0 ? [...column, ...operator, ...right] : right }];
  });
}

function pairs(left: Token[], right: Token[]): Assignment[] {
  const columns = partsByComma(new Cursor(left).group() ?? []);
  const cursor = new Cursor(right);
  cursor.take("ROW");
  const values = cursor.group() ?? [];
  const isQuery = values[0]?.word === "SELECT";
  const listed = partsByComma(isQuery ? selected(values) : values);
  if (listed.length !== columns.length) return [{ column: [], value: [] }];
  // Each column gets the subquery with its own expression.
  return columns.map((column, at) => ({
    column,
    value: isQuery ? subquery(right, values, listed[at]!) : listed[at]!,
  }));
}

/** The list of a SELECT. */
function selected(query: Token[]): Token[] {
  const end = new Cursor(query).find(({ word }) => word === "FROM");
  return query.slice(1, end < 0 ? undefined : end);
}

function subquery(right: Token[], query: Token[], expression: Token[]): Token[] {
  const end = new Cursor(query).find(({ word }) => word === "FROM");
  const rest = end < 0 ? [] : query.slice(end);
  return [right[0]!, query[0]!, ...expression, ...rest, right.at(-1)!];
}

/** The name of the changed table: the given one, or the table behind an alias. */
function targetName(tables: Token[], from: Token[], column: Token[]): string[] | undefined {
  const name = new Cursor(tables).name();
  const qualifier = column.length > 2 ? [column[0]!.text] : undefined;
  const isJoin = tables.some(({ word }) => word === "JOIN" || word === ",");
  if (isJoin && qualifier) return aliased(tables, qualifier) ?? qualifier;
  return name && (aliased(from, name) ?? name);
}

/** The table that has this alias among others. */
function aliased(tokens: Token[], [alias, ...more]: string[]): string[] | undefined {
  if (alias === undefined || more.length > 0) return undefined;
  for (let at = 1; at < tokens.length; at++) {
    if (tokens[at]!.text.toLowerCase() !== alias.toLowerCase()) continue;
    const last = tokens[at - 1]!.word === "AS" ? at - 2 : at - 1;
    let start = last;
    while (start >= 2 && tokens[start - 1]!.word === ".") start -= 2;
    const isName = tokens[last]?.kind === "word" || tokens[last]?.kind === "quoted";
    const before = tokens[start - 1]?.word ?? "";
    if (isName && (start === 0 || ["JOIN", ",", "FROM", "("].includes(before))) {
      return new Cursor(tokens.slice(start, last + 1)).name();
    }
  }
  return undefined;
}
