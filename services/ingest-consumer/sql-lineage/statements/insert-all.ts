import { isNode, listOf, type Node, ofKind, segmentsOf, textOf } from "../parse/ast.ts";
import type { Columns } from "../resolve/columns.ts";
import type { QueryReader } from "../resolve/context.ts";
import { openScope } from "../resolve/scope.ts";
import { Uses } from "../resolve/value.ts";
import { type Filled, filledBy } from "./assign.ts";
import type { Filling } from "./merge.ts";
import { targetOf } from "./statement.ts";

/** What the parts of an `INSERT ALL` or `INSERT FIRST` fill; undefined when it is not understood. */
export function insertedToAll(
  body: Node,
  fieldsOf: (name: string[]) => readonly string[],
  queries: QueryReader,
): Filling[] | undefined {
  if (!isNode(body.source)) return undefined;
  const source = queries.relationOf(body.source, null, null);
  const parts = listOf(body, "expressions").map((one) => ofKind(one, "conditional_insert"));
  const uses = new Uses();
  uses.include(source.uses);
  const scope = openScope(
    null,
    null,
    [{ alias: null, parts: [], columns: source.columns }],
    source.columns,
  );
  const fillings = parts.map((part): Filling | undefined => {
    const insert = ofKind(part?.this, "insert");
    const table = insert?.table;
    if (!part || !insert || !isNode(table)) return undefined;
    uses.add(queries.expressions.valueOf(part.expression, scope, uses), "FILTER");
    const name = segmentsOf(table, queries.dialect);
    const [values] = listOf(insert, "values");
    const valuesOf = (list: unknown[]) =>
      list.map((one) => queries.expressions.valueOf(one, scope, uses));
    const columns = listOf(insert, "columns").flatMap((one) => textOf(one) ?? []);
    const fields = fieldsOf(name);
    return {
      name,
      filled: filledOf(
        source.columns,
        columns,
        fields,
        Array.isArray(values) ? valuesOf(values) : undefined,
        queries,
      ),
      uses,
    };
  });
  return fillings.every((one) => one !== undefined) ? fillings : undefined;
}

function filledOf(
  all: Columns,
  columns: string[],
  fields: readonly string[],
  values: Filled["value"][] | undefined,
  queries: QueryReader,
): Filled[] {
  if (values) {
    const names = columns.length > 0 ? columns : fields;
    return names.length === values.length
      ? values.map((value, at) => ({ name: names[at]!, value }))
      : [];
  }
  const into = targetOf([], { by: "position", columns: columns.length > 0 ? columns : null });
  return filledBy(into, all, { fields }, queries.dialect);
}
