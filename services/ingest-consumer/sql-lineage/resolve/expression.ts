import { own } from "#kit/own.ts";
import { isNode, isQuery, listOf, type Node, textOf } from "../parse/ast.ts";
import {
  isKnown,
  type Level,
  union,
  untraced,
  type Uses,
  type Value,
  ValueBuilder,
} from "./columns.ts";
import { isUnit, type Name, nameOf, nameOfNode } from "./names.ts";
import type { Names, Scope } from "./scope.ts";
import { wordsOf } from "../text/tokens.ts";

/** Reads a query within an expression. */
type ReadQuery = (query: Node, scope: Scope) => { value: Value; uses: Uses };

/** Members that may be the only one of what holds them, and no kinds of nodes. */
const members = new Set(["this", "expression", "expressions", "query", "left", "right", "value"]);

interface Step {
  node: unknown;
  level: Level;
  /** Names that parameters of functions hide, lower-case. */
  bound: ReadonlySet<string>;
}

/** What expressions are made of. Walks without recursion, since expressions may be nested deeply. */
export class Expressions {
  constructor(private readonly names: Names, private readonly readQuery: ReadQuery) {}

  /** The value of an expression; what its subqueries and windows depend on is added to `uses`. */
  valueOf(expression: unknown, scope: Scope, uses: Uses): Value {
    const built = new ValueBuilder();
    const steps: Step[] = [{ node: expression, level: 0, bound: new Set() }];
    for (let step = steps.pop(); step; step = steps.pop()) {
      this.#take(step, steps, built, scope, uses);
    }
    return built.value;
  }

  #take(step: Step, steps: Step[], built: ValueBuilder, scope: Scope, uses: Uses): void {
    const { node, level, bound } = step;
    if (Array.isArray(node)) { for (const one of node) steps.push({ node: one, level, bound }); }
    if (!isNode(node)) return;
    const [kind] = Object.keys(node);
    const body = kind === undefined ? undefined : own(node, kind);
    if (kind === undefined || Object.keys(node).length > 1 || members.has(kind)) {
      for (const one of Object.values(node)) steps.push({ node: one, level, bound });
      return;
    }
    const name = namePartsOf(node);
    if (name) {
      if (name.parts.length > 1 || !bound.has(name.parts[0]!.lower)) {
        built.add(this.names.resolve(name.parts, scope, name.at), level);
      }
    } else if (isQuery(node)) {
      const read = this.readQuery(node, scope);
      uses.include(read.uses);
      built.add(read.value, level);
    } else if (isNode(body)) this.#takeKind({ ...step, kind, body }, steps, built, scope, uses);
    else steps.push({ node: body, level, bound });
  }

  #takeKind(
    { kind, body, level, bound }: Step & { kind: string; body: Node },
    steps: Step[],
    built: ValueBuilder,
    scope: Scope,
    uses: Uses,
  ): void {
    const push = (node: unknown, own: Level, names = bound) =>
      void steps.push({ node, level: Math.max(level, own) as Level, bound: names });
    switch (kind) {
      case "alias":
      case "paren":
        return push(body.this, 0);
      case "dot":
        return push(body.this, 1);
      case "named_argument":
        return push(body.value, 1);
      case "exists":
        if (isNode(body.this)) uses.include(this.readQuery(body.this, scope).uses);
        return;
      case "star":
        return built.add(this.#allColumns(body, scope), 1);
      case "lambda": {
        const own = listOf(body, "parameters").flatMap((one) => textOf(one)?.toLowerCase() ?? []);
        return push(body.body, 1, new Set([...bound, ...own]));
      }
      case "method_call":
        // What stands before a function's name is its schema, if no source tells otherwise.
        if (!namePartsOf(body.this)) push(body.this, 1);
        return push(body.args, 1);
      case "window_function":
        push(body.this, 1);
        return this.#takeWindow(body, steps, level, bound, scope, uses);
      case "count":
        return push(isStar(body.this) ? body.filter : Object.values(body), 2);
      case "function":
      case "aggregate_function":
        return this.#takeFunction(kind, body, push);
      default:
        return push(Object.values(body), isAggregate(kind, "") ? 2 : 1);
    }
  }

  #takeFunction(kind: string, body: Node, push: (node: unknown, own: Level) => void): void {
    const name = typeof body.name === "string" ? body.name : "";
    const level = isAggregate(kind, name) ? 2 : 1;
    const args = listOf(body, "args");
    const unitAt = /^(date_?add|date_?diff|date_?part|datename|timestamp_?add|timestamp_?diff)$/i
        .test(name)
      ? [0, args.length - 1]
      : [args.length - 1, 0];
    const given = unitAt.find((at) => {
      const parts = namePartsOf(args[at])?.parts;
      return parts?.length === 1 && isUnit(parts[0]!, name);
    });
    const hasTextUnit = args.some((arg) => isNode(arg) && "literal" in arg);
    const skipped = given !== undefined && args.length > 1 && !(hasTextUnit && given !== 0)
      ? given
      : name.toLowerCase() === "week" && args.length === 1 && given === 0
      ? 0
      : -1;
    args.forEach((arg, at) => at === skipped ? undefined : push(arg, level));
    for (const [member, one] of Object.entries(body)) {
      if (member !== "args" && member !== "name" && isNode(one)) push(one, level);
      if (member === "order_by") push(one, level);
    }
  }

  #takeWindow(
    body: Node,
    steps: Step[],
    level: Level,
    bound: ReadonlySet<string>,
    scope: Scope,
    uses: Uses,
  ): void {
    const over = isNode(body.over) ? body.over : {};
    const named = scope.windows.get(textOf(over.window_name)?.toLowerCase() ?? "");
    const parts = [over.partition_by, over.order_by, named];
    for (const node of parts) {
      steps.push({ node, level: Math.max(level, 1) as Level, bound });
      if (node) uses.add(this.valueOf(node, scope, uses), "WINDOW");
    }
  }

  /** A star as an argument: the whole row. */
  #allColumns(star: Node, scope: Scope): Value {
    const qualifier = textOf(star.table)?.split(".").map((one) => nameOf(one));
    const changes = ["except", "replace", "rename"].some((list) => listOf(star, list).length > 0);
    const columns = changes
      ? undefined
      : qualifier
      ? this.names.source(qualifier, scope)?.columns
      : scope.columns;
    if (!columns) return untraced("star");
    return union(columns.list.map((one) => isKnown(one) ? one.value : untraced("star")), 1);
  }
}

const isStar = (node: unknown) => isNode(node) && isNode(node.star);

/** The parts of a column's name, and where it stands; undefined for what is no name. */
export function namePartsOf(
  node: unknown,
): { parts: Name[]; at: number | undefined } | undefined {
  const fields: Name[] = [];
  let one = node;
  while (isNode(one) && isNode(one.dot)) {
    const field = nameOfNode(one.dot.field);
    if (!field || field.text === "*") return undefined;
    fields.unshift(field);
    one = one.dot.this;
  }
  const column = isNode(one) && isNode(one.column) ? one.column : undefined;
  const name = column && nameOfNode(column.name);
  if (!column || !name) return undefined;
  const table = nameOfNode(column.table);
  const span = isNode(column.span) ? column.span : {};
  return {
    parts: [...table ? [table] : [], name, ...fields],
    at: typeof span.start === "number" ? span.start : undefined,
  };
}

const kinds = wordsOf(`
  sum avg min max count count_if array_agg string_agg list_agg group_concat median mode any_value
  approx_distinct approx_count_distinct aggregate_function bit_and_agg bit_or_agg bit_xor_agg
  logical_and logical_or bool_and bool_or corr covar_pop covar_samp percentile_cont
  percentile_disc approx_percentile approx_quantile quantile json_agg json_object_agg
  json_array_agg array_concat_agg array_unique_agg object_agg skewness kurtosis sum_if arg_max
  arg_min max_by min_by first last any collect_list collect_set within_group hll array_union_agg
`);
const kindForms = /^(std_?dev|var(iance)?(_|$)|regr_|approx_)/;
const functionForms = [
  /^(sum|avg|min|max|count)(_?if|_by|map|_distinct)?$/i,
  /^(stddev|var(iance|_)|median|mode$|bool_|every$|bit_(and|or|xor)_agg|corr$|covar_|regr_)/i,
  /^(array|string|list|json|jsonb|object|map|xml|array_concat|array_unique)_?(object|array)?_?agg$/i,
  /^(listagg|collect_(list|set)|group_concat|grouparray|approx_|any_?value|arg_?(min|max)|first_?value)/i,
  /^(last_?value|uniq|quantile|percentile|topk|histogram|hll|kurtosis|skew|entropy|logical_(and|or))/i,
];

/** Whether what a function makes is made of many rows. */
function isAggregate(kind: string, functionName: string): boolean {
  if (kind === "function") return functionForms.some((form) => form.test(functionName));
  return kinds.has(kind) || kindForms.test(kind);
}
