import { isObject } from "#kit/own.ts";

/** A column of a relation, by `pg_class.oid` and `pg_attribute.attnum`; 0 stands for a whole row. */
export interface Origin {
  relation: number;
  number: number;
}

interface ViewColumn {
  /** Number of the view's column, from 1. */
  number: number;
  origins: Origin[];
  /** The value is that of the one origin, unchanged. */
  isIdentity: boolean;
}

/** Where the columns of a view come from. */
export interface ViewColumns {
  columns: ViewColumn[];
  /** Columns that decide which rows there are: of conditions, joins and groups. */
  conditions: Origin[];
}

/** Fields of a query whose columns decide which rows there are. */
const conditions = ["jointree", "havingQual"];

/** Reads `pg_rewrite.ev_action` of a view; null if it is not understood. */
export function viewColumns(tree: string): ViewColumns | null {
  try {
    const [query] = nodesOf(parseTree(tree));
    return query?.tag === "QUERY" ? read(query) : null;
  } catch {
    return null;
  }
}

function read(query: Node): ViewColumns {
  const tracer = new ColumnTracer();
  const scope: Scope = { query, outer: null };
  const targets = new Map(
    nodesOf(query.fields.get("targetList")).map((one) => [numberOf(one, "resno"), one]),
  );
  const columns = [...tracer.outputs(scope)].map(([number, origins]): ViewColumn => ({
    number,
    origins: listed(origins),
    isIdentity: origins.size === 1 && isVariable(targets.get(number)?.fields.get("expr")),
  }));
  const deciding: Origins = new Set();
  for (const field of conditions) tracer.trace(query.fields.get(field), scope, deciding);
  return { columns, conditions: listed(deciding) };
}

const isVariable = (value: Value | undefined): boolean => isNode(value) && value.tag === "VAR";

/** In a fixed order, so that the same view gives the same item. */
function listed(origins: Origins): Origin[] {
  return [...origins].map((text) => {
    const [relation = 0, number = 0] = text.split(".").map(Number);
    return { relation, number };
  }).sort((a, b) => a.relation - b.relation || a.number - b.number);
}

/** A query, and the queries around it: the nearest first. */
interface Scope {
  query: Node;
  outer: Scope | null;
}

/** `oid.number` of the columns of relations. */
type Origins = Set<string>;

/** Most nodes that are visited of one view. */
const maxVisits = 300_000;

/** `RTEKind` of PostgreSQL. */
const rte = { relation: 0, subquery: 1, join: 2, cte: 6, group: 9 };

/** Follows columns of a parsed query to the columns of relations that they come from. */
class ColumnTracer {
  #visits = 0;
  readonly #known = new Map<Node, Map<number, Origins>>();

  /** The origins of each output column of a query, by its number. Throws for a query that is too large. */
  outputs(scope: Scope): Map<number, Origins> {
    const known = this.#known.get(scope.query);
    if (known) return known;
    const found = new Map<number, Origins>();
    // Set before it is filled: a recursive query reads itself.
    this.#known.set(scope.query, found);
    const operations = scope.query.fields.get("setOperations");
    if (isNode(operations)) this.#union(operations, scope, found);
    else {
      for (const target of nodesOf(scope.query.fields.get("targetList"))) {
        if (target.fields.get("resjunk") === "true") continue;
        const origins: Origins = new Set();
        this.trace(target.fields.get("expr"), scope, origins);
        found.set(numberOf(target, "resno"), origins);
      }
    }
    return found;
  }

  /** The columns that an expression reads, put into `into`. */
  trace(value: Value | undefined, scope: Scope, into: Origins): void {
    if (++this.#visits > maxVisits) throw new Error("the query is too large");
    if (Array.isArray(value)) { for (const one of value) this.trace(one, scope, into); }
    else if (!isNode(value)) return;
    else if (value.tag === "VAR") this.#variable(value, scope, into);
    else if (value.tag === "QUERY") {
      const inner = { query: value, outer: scope };
      for (const origins of this.outputs(inner).values()) addAll(into, origins);
    } else for (const field of value.fields.values()) this.trace(field, scope, into);
  }

  #union(operation: Node, scope: Scope, found: Map<number, Origins>): void {
    if (operation.tag === "RANGETBLREF") {
      const entry = entriesOf(scope)[numberOf(operation, "rtindex") - 1];
      const query = entry?.fields.get("subquery");
      if (!isNode(query)) return;
      for (const [number, origins] of this.outputs({ query, outer: scope })) {
        const all = found.get(number) ?? new Set();
        addAll(all, origins);
        found.set(number, all);
      }
      return;
    }
    for (const side of ["larg", "rarg"]) {
      const part = operation.fields.get(side);
      if (isNode(part)) this.#union(part, scope, found);
    }
  }

  #variable(node: Node, from: Scope, into: Origins): void {
    const scope = above(from, numberOf(node, "varlevelsup"));
    const entry = scope && entriesOf(scope)[numberOf(node, "varno") - 1];
    const number = numberOf(node, "varattno");
    if (!scope || !entry || number < 0) return;
    const kind = numberOf(entry, "rtekind");
    if (kind === rte.relation) into.add(`${numberOf(entry, "relid")}.${number}`);
    else if (kind === rte.subquery) {
      this.#column(entry.fields.get("subquery"), scope, number, into);
    } else if (kind === rte.cte) this.#common(entry, scope, number, into);
    else if (kind === rte.join) this.#listed(entry, "joinaliasvars", number, scope, into);
    else if (kind === rte.group) this.#listed(entry, "groupexprs", number, scope, into);
    else {
      for (const field of ["functions", "tablefunc", "values_lists"]) {
        this.trace(entry.fields.get(field), scope, into);
      }
    }
  }

  #listed(entry: Node, field: string, number: number, scope: Scope, into: Origins): void {
    const list = entry.fields.get(field);
    if (!Array.isArray(list)) return;
    this.trace(number === 0 ? list : list[number - 1], scope, into);
  }

  /** Column `number` of a subquery; all of them for 0, a whole row. */
  #column(query: Value | undefined, outer: Scope, number: number, into: Origins): void {
    if (!isNode(query)) return;
    const outputs = this.outputs({ query, outer });
    const found = number === 0 ? [...outputs.values()] : [outputs.get(number)];
    for (const origins of found) if (origins) addAll(into, origins);
  }

  #common(entry: Node, from: Scope, number: number, into: Origins): void {
    const scope = above(from, numberOf(entry, "ctelevelsup"));
    const name = entry.fields.get("ctename");
    const found = nodesOf(scope?.query.fields.get("cteList"))
      .find((one) => one.fields.get("ctename") === name);
    if (scope && found) this.#column(found.fields.get("ctequery"), scope, number, into);
  }
}

const entriesOf = ({ query }: Scope): Node[] => nodesOf(query.fields.get("rtable"));

function above(scope: Scope, levels: number): Scope | null {
  let at: Scope | null = scope;
  for (let level = 0; level < levels && at; level++) at = at.outer;
  return at;
}

function addAll(into: Origins, more: Origins): void {
  for (const one of more) into.add(one);
}

/** A node of a query as PostgreSQL prints it (`pg_node_tree`): `{VAR :varno 1 …}`. */
interface Node {
  tag: string;
  fields: Map<string, Value>;
}
type Value = Node | Value[] | string | null;

/** Deepest nesting; deeper trees are not read. */
const maxDepth = 1_000;

/** Parentheses and braces stand for themselves, other tokens end at them and at blanks; a backslash hides any of these. */
const tokens = /[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g;

/** Parses a tree. Throws for a text that is invalid or too deep. */
function parseTree(text: string): Value {
  return new Parser(text.match(tokens) ?? []).value(0);
}

class Parser {
  #at = 0;

  constructor(private readonly tokens: string[]) {}

  value(depth: number): Value {
    if (depth > maxDepth) throw new Error("the tree is too deep");
    const token = this.#next();
    if (token === "{") return this.#node(depth);
    if (token === "(") return this.#list(depth);
    if (token === ")" || token === "}") throw new Error("the tree is not balanced");
    return token === "<>" ? null : plain(token);
  }

  #list(depth: number): Value[] {
    const values: Value[] = [];
    while (this.#peek() !== ")") values.push(this.value(depth + 1));
    this.#at++;
    return values;
  }

  #node(depth: number): Node {
    const node: Node = { tag: this.#next(), fields: new Map() };
    for (let token = this.#next(); token !== "}"; token = this.#next()) {
      // Constants have several values, which nobody asks for.
      if (!token.startsWith(":")) continue;
      node.fields.set(token.slice(1), this.value(depth + 1));
    }
    return node;
  }

  #peek(): string {
    const token = this.tokens[this.#at];
    if (token === undefined) throw new Error("the tree ends early");
    return token;
  }

  #next(): string {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}

/** A token without its quotes and backslashes. */
function plain(token: string): string {
  const bare = token.length > 1 && token.startsWith('"') && token.endsWith('"')
    ? token.slice(1, -1)
    : token;
  return bare.includes("\\") ? bare.replace(/\\([\s\S])/g, "$1") : bare;
}

function isNode(value: Value | undefined): value is Node {
  return isObject(value);
}

/** The nodes of a list; empty for anything else. */
function nodesOf(value: Value | undefined): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A number of a node; 0 when it is missing. */
function numberOf(node: Node, field: string): number {
  const value = node.fields.get(field);
  return typeof value === "string" ? Number(value) : 0;
}
