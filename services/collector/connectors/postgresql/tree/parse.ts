/** A node of a query as PostgreSQL prints it (`pg_node_tree`): `{VAR :varno 1 …}`. */
export interface Node {
  tag: string;
  fields: Map<string, Value>;
}
export type Value = Node | Value[] | string | null;

/** Deepest nesting; deeper trees are not read. */
const maxDepth = 1_000;

/** Parentheses and braces stand for themselves, other tokens end at them and at blanks; a backslash hides any of these. */
const tokens = /[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g;

/** Parses a tree. Throws for a text that is invalid or too deep. */
export function parseTree(text: string): Value {
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

export function isNode(value: Value | undefined): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The nodes of a list; empty for anything else. */
export function nodesOf(value: Value | undefined): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A number of a node; 0 when it is missing. */
export function numberOf(node: Node, field: string): number {
  const value = node.fields.get(field);
  return typeof value === "string" ? Number(value) : 0;
}
