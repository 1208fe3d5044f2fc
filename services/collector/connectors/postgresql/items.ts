import type { fieldTypes } from "#contract/entities.ts";
import type { Item } from "../../connector.ts";
import { columnCatrn, foreignKeyItem } from "../../relational.ts";
import { isView, kindNames, plainName, relationCatrn } from "./names.ts";
import type { Column, Constraint, Relation } from "./queries.ts";

/** What an extension of metadata is called here. */
const extension = "urn:tributary:connector:postgresql";

/** Most labels of an enum that are shown. */
const maxLabels = 500;

/** Digits of an estimate: more change with every vacuum and tell nobody more. */
const digits = 2;

/** What a page holds of one relation. */
export interface RelationFacts {
  relation: Relation;
  columns: Column[];
  constraints: Constraint[];
}

type Transformer = NonNullable<Item["data_transformer"]>;

/** The entity of a table or view. */
export function relationItem(
  source: string,
  { relation, columns, constraints }: RelationFacts,
  view?: Transformer,
): Item {
  const catrn = relationCatrn(source, relation);
  const primary = new Set(constraints.find(({ type }) => type === "p")?.columns);
  const keys = new Set(constraints.flatMap((one) => one.type === "u" ? one.columns : []));
  const rows = relation.rows === null ? null : Number(relation.rows.toPrecision(digits));
  return {
    catrn,
    name: relation.name,
    type: isView(relation) ? "VIEW" : "TABLE",
    ...(relation.comment ? { description: relation.comment } : {}),
    metadata: [{ schema_url: extension, metadata: metadataOf(relation, constraints) }],
    dataset: {
      ...(rows === null || rows < 0 ? {} : { rows_number: rows }),
      field_list: columns.map((column) => fieldOf(catrn, column, primary, keys)),
    },
    ...(view ? { data_transformer: view } : {}),
  };
}

function metadataOf(relation: Relation, constraints: Constraint[]): Record<string, unknown> {
  const unique = constraints.filter(({ type }) => type === "u")
    .map(({ columns }) => columns.join(", "));
  return {
    kind: kindNames[relation.kind],
    schema: relation.schema,
    owner: relation.owner,
    ...(relation.server === null ? {} : { foreign_server: relation.server }),
    ...(unique.length > 0 ? { unique: unique.join("; ") } : {}),
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
  const from = relationCatrn(source, relation);
  return constraints.flatMap((key): Item[] => {
    const { targetSchema, targetName } = key;
    if (key.type !== "f" || targetSchema === null || targetName === null) return [];
    const target = { schema: targetSchema, name: targetName, kind: "r" as const };
    return [foreignKeyItem(key.name, {
      catrn: from,
      name: plainName(relation),
      columns: key.columns,
    }, {
      catrn: relationCatrn(source, target),
      name: plainName(target),
      columns: key.targetColumns,
    })];
  });
}

type FieldType = (typeof fieldTypes)[number];

const byName = new Map<string, FieldType>([
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

/** By `pg_type.typcategory`. */
const byCategory = new Map<string, FieldType>([
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

/** The type of a field for a type of PostgreSQL. */
function fieldType({ base, category }: { base: string; category: string }): FieldType {
  if (category === "A") return "TYPE_LIST";
  return byName.get(base) ?? byCategory.get(category) ?? "TYPE_UNKNOWN";
}
