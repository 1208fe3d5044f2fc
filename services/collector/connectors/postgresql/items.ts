import type { fieldTypes } from "#contract/entities.ts";
import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import { foreignKeyItem } from "#platform/items.ts";
import { type Item, metadataOf, type Transformer } from "../../connector.ts";
import { columnCatrn, keyEnd } from "../../relational.ts";
import { isView, kindNames, plainName, relationCatrn } from "./names.ts";
import type {
  Column,
  Constraint,
  NamedColumn,
  Relation,
  ViewDefinition,
  ViewInput,
} from "./queries.ts";
import type { Origin, ViewColumns } from "./tree.ts";

/** Most labels of an enum that are shown. */
const maxLabels = 500;

/** Digits of an estimate: more change with every vacuum and tell nobody more. */
const estimateDigits = 2;

/** What a page holds of one relation. */
export interface RelationFacts {
  relation: Relation;
  columns: Column[];
  constraints: Constraint[];
}

/** The entity of a table or view. */
export function relationItem(
  source: string,
  { relation, columns, constraints }: RelationFacts,
  view?: Transformer,
): Item {
  const catrn = relationCatrn(source, relation);
  const primary = new Set(constraints.find(({ type }) => type === "p")?.columns);
  const keys = new Set(constraints.flatMap((one) => one.type === "u" ? one.columns : []));
  const unique = constraints.filter(({ type }) => type === "u")
    .map(({ columns }) => columns.join(", "));
  const rows = relation.rows === null ? null : Number(relation.rows.toPrecision(estimateDigits));
  return {
    catrn,
    name: relation.name,
    type: isView(relation) ? "VIEW" : "TABLE",
    ...(relation.comment ? { description: relation.comment } : {}),
    metadata: metadataOf("postgresql", {
      kind: kindNames[relation.kind],
      schema: relation.schema,
      owner: relation.owner,
      foreign_server: relation.server ?? undefined,
      unique: unique.join("; ") || undefined,
    }),
    dataset: {
      ...(rows === null || rows < 0 ? {} : { rows_number: rows }),
      field_list: columns.map((column) => fieldOf(catrn, column, primary, keys)),
    },
    ...(view ? { data_transformer: view } : {}),
  };
}

function fieldOf(relation: string, column: Column, primary: Set<string>, keys: Set<string>) {
  const { name, type, comment, labels } = column;
  const isPrimary = primary.has(name);
  return {
    catrn: columnCatrn(relation, name),
    name,
    ...(comment ? { description: comment } : {}),
    type: { type: fieldType(column), logical_type: type, is_nullable: column.nullable },
    ...(isPrimary ? { is_primary_key: true } : {}),
    ...(isPrimary || keys.has(name) ? { is_key: true } : {}),
    ...(column.default === null || column.generated ? {} : { default_value: column.default }),
    ...(labels
      ? { enum_values: labels.slice(0, maxLabels).map((label) => ({ name: label })) }
      : {}),
  };
}

/** The entities of the foreign keys of a table. */
export function foreignKeyItems(source: string, { relation, constraints }: RelationFacts): Item[] {
  return constraints.flatMap((key): Item[] => {
    const { targetSchema, targetName } = key;
    if (key.type !== "f" || targetSchema === null || targetName === null) return [];
    const target = { schema: targetSchema, name: targetName, kind: "r" as const };
    return [foreignKeyItem(
      key.name,
      keyEnd(relationCatrn(source, relation), plainName(relation), key.columns),
      keyEnd(relationCatrn(source, target), plainName(target), key.targetColumns),
    )];
  });
}

type FieldType = (typeof fieldTypes)[number];

/** The type of a field for a type of PostgreSQL. */
function fieldType({ base, category }: { base: string; category: string }): FieldType {
  if (category === "A") return "TYPE_LIST";
  return typesByName.get(base) ?? typesByCategory.get(category) ?? "TYPE_UNKNOWN";
}

/** Types of fields by the name of a type. */
const typesByName = new Map<string, FieldType>([
  ...["int2", "int4", "int8", "oid", "xid"].map((name) => [name, "TYPE_INTEGER"] as const),
  ...["json", "jsonb", "hstore"].map((name) => [name, "TYPE_STRUCT"] as const),
  ...["time", "timetz"].map((name) => [name, "TYPE_TIME"] as const),
  ["bytea", "TYPE_BINARY"],
  ["bpchar", "TYPE_CHAR"],
  ["char", "TYPE_CHAR"],
  ["vector", "TYPE_VECTOR"],
  ["xml", "TYPE_STRING"],
  ["uuid", "TYPE_STRING"],
]);

/** Types of fields by `pg_type.typcategory`. */
const typesByCategory = new Map<string, FieldType>([
  ["A", "TYPE_LIST"],
  ["B", "TYPE_BOOLEAN"],
  ["C", "TYPE_STRUCT"],
  ["D", "TYPE_DATETIME"],
  ["E", "TYPE_STRING"],
  ["I", "TYPE_STRING"],
  ["N", "TYPE_NUMBER"],
  ["S", "TYPE_STRING"],
  ["T", "TYPE_DURATION"],
]);

/** Longest SQL of a view that is shown. */
export const maxSql = 100_000;

/** What is known of a view. */
export interface ViewFacts {
  catrn: string;
  columns: Column[];
  definition: ViewDefinition;
  inputs: ViewInput[];
  /** Where its columns come from; null when that is not understood. */
  traced: ViewColumns | null;
}

/** Columns of relations by `oid.number`. */
export type ColumnIndex = ReadonlyMap<string, NamedColumn>;

/** What a view reads, and how its columns are made: exact, since PostgreSQL itself has resolved every name. */
export function viewTransformer(
  source: string,
  view: ViewFacts,
  index: ColumnIndex,
): Transformer {
  const inputs = view.inputs.map((input) => relationCatrn(source, input));
  const lineage = view.traced && lineageOf(source, view, view.traced, index);
  return {
    inputs: [...new Set(inputs)],
    outputs: [],
    sql: view.definition.sql.slice(0, maxSql),
    // Without a declaration the consumer may read the SQL (`lineage.columns.from-sql`).
    ...(lineage ? { column_lineage: lineage } : {}),
  };
}

type ColumnLineage = NonNullable<Transformer["column_lineage"]>;
type ColumnSource = ColumnLineage[number]["sources"][number];

/** Null when there is more than a batch may carry: half a lineage would look like a whole one. */
function lineageOf(
  source: string,
  { catrn, columns }: ViewFacts,
  { columns: traced, conditions }: ViewColumns,
  index: ColumnIndex,
): ColumnLineage | null {
  const names = new Map(columns.map(({ number, name }) => [number, name]));
  const direct = traced.flatMap(({ number, origins, isIdentity }): ColumnLineage => {
    const field = names.get(number);
    const subtype = isIdentity ? "IDENTITY" : "TRANSFORMATION";
    const sources = sourcesOf(source, origins, index, { type: "DIRECT", subtype });
    return field === undefined || sources.length === 0
      ? []
      : [{ target: { dataset_catrn: catrn, field }, sources }];
  });
  const deciding = sourcesOf(source, conditions, index, { type: "INDIRECT", subtype: "FILTER" });
  const lineage = deciding.length === 0
    ? direct
    : [...direct, { target: { dataset_catrn: catrn }, sources: deciding }];
  const edges = lineage.reduce((sum, { sources }) => sum + sources.length, 0);
  return edges <= maxColumnEdges ? lineage : null;
}

function sourcesOf(
  source: string,
  origins: Origin[],
  index: ColumnIndex,
  how: Pick<ColumnSource, "type" | "subtype">,
): ColumnSource[] {
  return origins.flatMap(({ relation, number }): ColumnSource[] => {
    const column = index.get(`${relation}.${number}`) ?? index.get(`${relation}.1`);
    if (!column) return [];
    const { schema, table, kind } = column;
    const dataset_catrn = relationCatrn(source, { schema, name: table, kind });
    return [{ dataset_catrn, ...(number === 0 ? {} : { field: column.name }), ...how }];
  });
}
