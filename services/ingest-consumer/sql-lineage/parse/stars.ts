import type { SqlDataset } from "../model.ts";
import { aliased, identifier, isNode, listOf, type Node, ofKind, textOf } from "./ast.ts";
import { firstSelect } from "./statements.ts";

/** The columns behind a name, as identifiers; null if unknown. */
type Columns = Node[] | null;
type Scope = ReadonlyMap<string, Columns>;

interface Source {
  name: string;
  columns: Columns;
}

/** A star with exceptions whose columns are unknown. */
class UnknownColumns extends Error {}

/**
 * Writes out every `* EXCEPT`, `EXCLUDE`, `REPLACE` and `RENAME` of a query, since the parser takes them for a plain
 * star. `datasets` are the tables of the query by name. False when the columns of one are unknown.
 */
export function writeOutStars(query: Node, datasets: Map<string, SqlDataset>): boolean {
  try {
    new Stars(datasets).visit(query, new Map());
    return true;
  } catch (error) {
    if (error instanceof UnknownColumns) return false;
    throw error;
  }
}

class Stars {
  readonly #columns = new Map<Node, Columns>();

  constructor(private readonly datasets: Map<string, SqlDataset>) {}

  /** Writes out what stands in a value, from the inside out. */
  visit(value: unknown, outer: Scope): void {
    if (Array.isArray(value)) { for (const one of value) this.visit(one, outer); }
    if (!isNode(value)) return;
    if (exceptionsOf(ofKind(value, "star"))) throw new UnknownColumns();
    const scope = isNode(value.with) ? this.#withCtes(value.with, outer) : outer;
    const select = ofKind(value, "select");
    if (select) return this.#visitSelect(select, scope);
    for (const [member, one] of Object.entries(value)) {
      if (member !== "with") this.visit(one, scope);
    }
  }

  #visitSelect(select: Node, outer: Scope): void {
    const scope = isNode(select.with) ? this.#withCtes(select.with, outer) : outer;
    const expressions = listOf(select, "expressions");
    for (const [member, one] of Object.entries(select)) {
      if (member !== "with" && member !== "expressions") this.visit(one, scope);
    }
    const sources = sourcesOf(select).map((node) => this.#sourceOf(node, scope));
    select.expressions = expressions.flatMap((expression) => {
      const star = ofKind(expression, "star");
      const exceptions = exceptionsOf(star);
      this.visit(exceptions ? star!.replace : expression, scope);
      return exceptions ? exceptions.writtenOut(chosen(star!, select, sources)) : [expression];
    });
    this.#columns.set(select, selectedBy(select, sources));
  }

  #withCtes(own: Node, outer: Scope): Scope {
    const scope = new Map(outer);
    for (const cte of listOf(own, "ctes")) {
      if (!isNode(cte)) continue;
      const name = textOf(cte.alias)?.toLowerCase() ?? "";
      if (own.recursive === true) scope.set(name, null);
      this.visit(cte.this, scope);
      const named = listOf(cte, "columns").filter(isNode);
      scope.set(name, named.length > 0 ? named : this.#columnsOf(cte.this));
    }
    return scope;
  }

  #columnsOf(query: unknown): Columns {
    const select = isNode(query) ? firstSelect(query) : undefined;
    return (select && this.#columns.get(select)) ?? null;
  }

  #sourceOf(node: unknown, scope: Scope): Source {
    const table = ofKind(node, "table");
    const body = table ?? ofKind(node, "subquery");
    const own = textOf(table?.name) ?? "";
    const name = textOf(body?.alias) ?? own;
    if (!body || listOf(body, "column_aliases").length > 0) return { name, columns: null };
    const fields = this.datasets.get(own)?.fields ?? [];
    const columns = !table
      ? this.#columnsOf(node)
      : fields.length > 0
      ? fields.map(identifier)
      : isNode(table.schema)
      ? null
      : scope.get(own.toLowerCase()) ?? null;
    return { name, columns };
  }
}

/** The tables and queries that a SELECT reads. */
function sourcesOf(select: Node): unknown[] {
  const joins = listOf(select, "joins").map((join) => isNode(join) ? join.this : undefined);
  return [...listOf(isNode(select.from) ? select.from : undefined, "expressions"), ...joins];
}

/** Those of the sources of a SELECT that a star stands for. */
function chosen(star: Node, select: Node, sources: Source[]): Source[] {
  const table = textOf(star.table)?.toLowerCase();
  if (table === undefined) return merges(select) ? [{ name: "", columns: null }] : sources;
  return sources.filter(({ name }) => name.toLowerCase() === table);
}

/** Whether the columns of a SELECT are others than those of its sources one after the other. */
function merges(select: Node): boolean {
  const joins = listOf(select, "joins").filter(isNode);
  return listOf(select, "lateral_views").length > 0 ||
    joins.some((join) =>
      listOf(join, "using").length > 0 || /natural|semi|anti/i.test(JSON.stringify(join.kind ?? ""))
    );
}

/** What a SELECT is made of, by name; null where one has none. */
function selectedBy(select: Node, sources: Source[]): Columns {
  const columns: Node[] = [];
  for (const expression of listOf(select, "expressions")) {
    const star = ofKind(expression, "star");
    const found = star
      ? columnsOfAll(chosen(star, select, sources))
      : [ofKind(expression, "alias")?.alias ?? ofKind(expression, "column")?.name];
    if (!found?.every(isNode)) return null;
    columns.push(...found);
  }
  return columns;
}

function columnsOfAll(sources: Source[]): Columns {
  if (sources.length === 0 || sources.some(({ columns }) => columns === null)) return null;
  return sources.flatMap(({ columns }) => columns!);
}

/** What a star leaves out, replaces and renames; undefined for a plain one. */
function exceptionsOf(star: Node | undefined): Exceptions | undefined {
  const lists = ["except", "replace", "rename"].map((member) => listOf(star, member));
  return star && lists.some((list) => list.length > 0) ? new Exceptions(star) : undefined;
}

class Exceptions {
  readonly #except: Set<string>;
  readonly #replace = new Map<string, unknown>();
  readonly #rename = new Map<string, string>();

  constructor(star: Node) {
    this.#except = new Set(listOf(star, "except").map(nameOf));
    for (const one of listOf(star, "replace")) {
      if (isNode(one)) this.#replace.set(nameOf(one.alias), one.this);
    }
    for (const pair of listOf(star, "rename")) {
      const [from, to] = Array.isArray(pair) ? pair : [];
      this.#rename.set(nameOf(from), textOf(to) ?? "");
    }
  }

  /** The expressions that a star over some sources stands for. */
  writtenOut(sources: Source[]): unknown[] {
    const columns = columnsOfAll(sources);
    if (columns === null) throw new UnknownColumns();
    const known = new Set(columns.map(nameOf));
    const named = [...this.#except, ...this.#replace.keys(), ...this.#rename.keys()];
    // One that nothing is called like may be a pattern, or a column that is not known yet.
    if (!named.every((name) => known.has(name))) throw new UnknownColumns();
    for (const value of this.#replace.values()) qualify(value, sources);
    return sources.flatMap(({ name, columns: own }) =>
      own!.flatMap((column) => this.#expressionOf(name, column))
    );
  }

  #expressionOf(source: string, column: Node): unknown[] {
    const name = nameOf(column);
    if (this.#except.has(name)) return [];
    const value = this.#replace.get(name) ?? {
      column: {
        name: column,
        table: source === "" ? null : identifier(source),
        join_mark: false,
        trailing_comments: [],
      },
    };
    const renamed = this.#rename.get(name);
    if (renamed === undefined && !this.#replace.has(name)) return [value];
    return [aliased(value, renamed ?? textOf(column)!)];
  }
}

/** A name as it is compared; one may have its table before it. */
function nameOf(given: unknown): string {
  return (textOf(given) ?? "").toLowerCase().split(".").at(-1)!;
}

/** Gives columns within an expression the table that has them: without one they may mean another selected column. */
function qualify(value: unknown, sources: Source[]): void {
  if (Array.isArray(value)) { for (const one of value) qualify(one, sources); }
  if (!isNode(value) || ofKind(value, "select")) return;
  const column = ofKind(value, "column");
  if (column && !isNode(column.table)) {
    const name = nameOf(column.name);
    const having = sources.filter(({ columns }) => columns!.some((one) => nameOf(one) === name));
    const table = having.length === 1 ? having[0]!.name : "";
    if (table !== "") column.table = identifier(table);
  }
  for (const one of Object.values(value)) qualify(one, sources);
}
