import { isNode, type Node, nodesOf, numberOf, type Value } from "./parse.ts";

/** A query, and the queries around it: the nearest first. */
export interface Scope {
  query: Node;
  outer: Scope | null;
}

/** `oid.number` of the columns of relations. */
export type Origins = Set<string>;

/** Most nodes that are visited of one view. */
const maxVisits = 300_000;

/** `RTEKind` of PostgreSQL. */
const rte = { relation: 0, subquery: 1, join: 2, cte: 6, group: 9 };

/** Follows columns of a parsed query to the columns of relations that they come from. */
export class ColumnTracer {
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
