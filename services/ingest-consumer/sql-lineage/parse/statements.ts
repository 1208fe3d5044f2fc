import { isNode, listOf, type Node, ofKind, segmentsOf, textOf } from "./ast.ts";
import { mergedBy } from "./merge.ts";
import { withCtes, type WriteStatement } from "./written.ts";

/** Statements that bring no values into a table. */
const harmless = new Set([
  ...["set_statement", "use", "transaction", "commit", "rollback", "comment", "analyze", "grant"],
  ...["revoke", "describe", "show", "pragma", "create_schema", "create_database", "create_index"],
  ...["drop_table", "drop_view", "drop_index", "drop_schema", "truncate", "delete", "alter_table"],
  ...["refresh"],
]);

const setOperations = ["union", "intersect", "except"];

/** What the statements of a text write, in order; null when one of them is not understood. */
export function writtenBy(statements: unknown[], dialect: string): WriteStatement[] | null {
  const written: WriteStatement[] = [];
  for (const statement of statements) {
    const found = oneOf(statement, dialect);
    if (found === null) return null;
    written.push(...found);
  }
  return written;
}

/** Null for a statement that is not understood, none for one that writes no query. */
function oneOf(statement: unknown, dialect: string): WriteStatement[] | null {
  const [kind] = isNode(statement) ? Object.keys(statement) : [];
  const body = ofKind(statement, kind ?? "");
  if (kind === undefined || !body) return null;
  if (kind === "merge") return mergedBy(body, dialect);
  if (harmless.has(kind)) return [];
  const written = kind === "insert"
    ? inserted(body, dialect)
    : kind === "create_table"
    ? made(body, body.as_select, dialect)
    : kind === "create_view"
    ? made(body, body.query, dialect)
    : selected(statement as Node, dialect);
  return written === undefined ? [] : written && [written];
}

function inserted(body: Node, dialect: string): WriteStatement | null | undefined {
  if (!isNode(body.query)) return listOf(body, "values").length > 0 ? undefined : null;
  const query = unwrapped(body.query);
  if (!query || !isNode(body.table)) return null;
  const columns = listOf(body, "columns").flatMap((one) => textOf(one) ?? []);
  const byPlace = body.by_name !== true;
  return {
    target: segmentsOf(body.table, dialect),
    columns,
    byPlace,
    query: withCtes(query, body.with),
  };
}

function made(body: Node, given: unknown, dialect: string): WriteStatement | null | undefined {
  if (!isNode(given)) return undefined;
  const query = unwrapped(given);
  if (!query || !isNode(body.name)) return null;
  const columns = listOf(body, "columns").flatMap((one) => textOf(one) ?? []);
  return {
    target: segmentsOf(body.name, dialect),
    columns,
    byPlace: false,
    query: withCtes(query, body.with),
  };
}

/** A query alone, or `SELECT … INTO`. */
function selected(statement: Node, dialect: string): WriteStatement | null {
  const query = unwrapped(statement);
  if (!query) return null;
  const select = ofKind(query, "select");
  const into = ofKind(ofKind({ into: select?.into }, "into")?.this, "table");
  if (select) select.into = null;
  const target = into ? segmentsOf(into, dialect) : null;
  return { target, columns: [], byPlace: false, query };
}

/** A query without parentheses around it; undefined for anything else. */
function unwrapped(node: Node): Node | undefined {
  const inner = ofKind(node, "subquery")?.this;
  if (isNode(inner)) return unwrapped(inner);
  return ["select", ...setOperations].some((kind) => ofKind(node, kind)) ? node : undefined;
}

/** What a query selects: of several that are set together, the first. */
export function firstSelect(query: Node): Node | undefined {
  const select = ofKind(query, "select");
  if (select) return select;
  const kind = ["subquery", ...setOperations].find((one) => ofKind(query, one));
  const body = kind === undefined ? undefined : ofKind(query, kind)!;
  const first = body?.left ?? body?.this;
  return isNode(first) ? firstSelect(first) : undefined;
}
