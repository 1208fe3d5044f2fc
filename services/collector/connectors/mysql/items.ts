import type { Item } from "../../connector.ts";
import { columnCatrn, foreignKeyItem, sqlFieldType } from "../../relational.ts";
import { plainName, quotedIn, relationCatrn, type RelationName } from "./names.ts";
import type { ColumnRow, KeyRow, TableRow } from "./queries.ts";

/** What an extension of metadata is called here. */
const extension = "urn:tributary:connector:mysql";

/** Most labels of an enum that are shown. */
const maxLabels = 500;

/** Digits of an estimate: more change with every query and tell nobody more. */
const digits = 1;

/** What a page holds of one relation. */
export interface RelationFacts {
  relation: RelationName;
  table: TableRow;
  columns: ColumnRow[];
  keys: KeyRow[];
}

type Transformer = NonNullable<Item["data_transformer"]>;
type Field = NonNullable<Item["dataset"]>["field_list"][number];

/** The entity of a table or view. */
export function relationItem(source: string, facts: RelationFacts, view?: Transformer): Item {
  const { relation, table, columns } = facts;
  const catrn = relationCatrn(source, relation);
  const rows = relation.isView ? null : table.row_count;
  const comment = relation.isView ? "" : table.comment ?? "";
  return {
    catrn,
    name: relation.name,
    type: relation.isView ? "VIEW" : "TABLE",
    ...(comment ? { description: comment } : {}),
    metadata: [{ schema_url: extension, metadata: metadataOf(facts) }],
    dataset: {
      ...(rows === null ? {} : { rows_number: Number(Number(rows).toPrecision(digits)) }),
      field_list: columns.map((column) => fieldOf(catrn, column, facts)),
    },
    ...(view ? { data_transformer: view } : {}),
  };
}

function metadataOf({ relation, table, keys }: RelationFacts): Record<string, unknown> {
  const unique = [...columnsByKey(keys, "UNIQUE").values()].map((columns) => columns.join(", "));
  return {
    kind: relation.isView ? "view" : "table",
    database: relation.database,
    ...(table.engine ? { engine: table.engine } : {}),
    ...(unique.length > 0 ? { unique: unique.join("; ") } : {}),
  };
}

function columnsByKey(keys: KeyRow[], type: KeyRow["type"]): Map<string, string[]> {
  const found = Map.groupBy(keys.filter((key) => key.type === type), ({ name }) => name);
  return new Map([...found].map(([name, rows]) => [name, rows.map((row) => row.column_name)]));
}

function fieldOf(relation: string, column: ColumnRow, { keys }: RelationFacts): Field {
  const { name, type, comment, nullable, standard, extra } = column;
  const types = new Set(keys.filter((key) => key.column_name === name).map((key) => key.type));
  const isPrimary = types.has("PRIMARY KEY");
  const labels = labelsOf(type);
  const hasDefault = standard !== null && standard !== "NULL" && !/GENERATED/i.test(extra);
  return {
    catrn: columnCatrn(relation, name),
    name,
    ...(comment ? { description: comment } : {}),
    type: { type: sqlFieldType(type), logical_type: type, is_nullable: Boolean(nullable) },
    ...(isPrimary ? { is_primary_key: true } : {}),
    ...(isPrimary || types.has("UNIQUE") ? { is_key: true } : {}),
    ...(hasDefault ? { default_value: standard } : {}),
    ...(labels ? { enum_values: labels.map((label) => ({ name: label })) } : {}),
  };
}

/** The values of `enum('a','b')`; null of another type. */
function labelsOf(type: string): string[] | null {
  if (!type.startsWith("enum(")) return null;
  const found = [...quotedIn(type)].map(({ text }) => text);
  return [...new Set(found)].slice(0, maxLabels);
}

/** The entities of the foreign keys of a table. */
export function foreignKeyItems(source: string, { relation, keys }: RelationFacts): Item[] {
  const from = relationCatrn(source, relation);
  const foreign = Map.groupBy(
    keys.filter(({ type }) => type === "FOREIGN KEY"),
    ({ name }) => name,
  );
  return [...foreign].flatMap(([name, rows]): Item[] => {
    const { target, target_database } = rows[0]!;
    if (target === null || target_database === null) return [];
    const other = { database: target_database, name: target, isView: false };
    return [foreignKeyItem(name, {
      catrn: from,
      name: plainName(relation),
      columns: rows.map((row) => row.column_name),
    }, {
      catrn: relationCatrn(source, other),
      name: plainName(other),
      columns: rows.map((row) => row.target_column ?? ""),
    })];
  });
}
