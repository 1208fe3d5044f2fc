import { escaped } from "#platform/naming/text.ts";
import { foreignKeyItem } from "#platform/items.ts";
import { type Item, metadataOf, type Transformer } from "../../connector.ts";
import { columnCatrn, keyEnd, sqlFieldType } from "../../relational.ts";
import type { ColumnRow, KeyRow, TableRow } from "./queries.ts";

/** Most labels of an enum that are shown. */
const maxLabels = 500;

/** Digits of an estimate: more change with every query and tell nobody more. */
const estimateDigits = 1;

export interface RelationName {
  database: string;
  name: string;
  isView: boolean;
}

/** What a page holds of one relation. */
export interface RelationFacts {
  relation: RelationName;
  table: TableRow;
  columns: ColumnRow[];
  keys: KeyRow[];
}

type Field = NonNullable<Item["dataset"]>["field_list"][number];

/** The entity of a table or view. */
export function relationItem(source: string, facts: RelationFacts, view?: Transformer): Item {
  const { relation, table, columns, keys } = facts;
  const catrn = relationCatrn(source, relation);
  const rows = relation.isView ? null : table.row_count;
  const comment = relation.isView ? "" : table.comment ?? "";
  const unique = [...keysOf(keys, "UNIQUE").values()].map((rows) =>
    rows.map((row) => row.column_name).join(", ")
  );
  return {
    catrn,
    name: relation.name,
    type: relation.isView ? "VIEW" : "TABLE",
    ...(comment ? { description: comment } : {}),
    metadata: metadataOf("mysql", {
      kind: relation.isView ? "view" : "table",
      database: relation.database,
      engine: table.engine || undefined,
      unique: unique.join("; ") || undefined,
    }),
    dataset: {
      ...(rows === null ? {} : { rows_number: Number(Number(rows).toPrecision(estimateDigits)) }),
      field_list: columns.map((column) => fieldOf(catrn, column, facts)),
    },
    ...(view ? { data_transformer: view } : {}),
  };
}

/** The columns of keys of a type, by the name of their key. */
function keysOf(keys: KeyRow[], type: KeyRow["type"]): Map<string, KeyRow[]> {
  return Map.groupBy(keys.filter((key) => key.type === type), ({ name }) => name);
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
  return [...keysOf(keys, "FOREIGN KEY")].flatMap(([name, rows]): Item[] => {
    const { target, target_database } = rows[0]!;
    if (target === null || target_database === null) return [];
    const other = { database: target_database, name: target, isView: false };
    return [foreignKeyItem(
      name,
      keyEnd(from, plainName(relation), rows.map((row) => row.column_name)),
      keyEnd(
        relationCatrn(source, other),
        plainName(other),
        rows.map((row) => row.target_column ?? ""),
      ),
    )];
  });
}

/** CATRN of a table or view, as the rules of `platform/naming` write it. */
export function relationCatrn(source: string, { database, name, isView }: RelationName): string {
  const group = isView ? "views" : "tables";
  return `${source}/databases/${escaped(database)}/${group}/${escaped(name)}`;
}

/** A relation as people write it, for messages and patterns. */
export const plainName = ({ database, name }: Pick<RelationName, "database" | "name">) =>
  `${database}.${name}`;

/** A text in quotes of SQL, without them. */
interface Quoted {
  text: string;
  quote: "`" | "'";
  from: number;
  /** Behind the closing quote. */
  to: number;
}

/** The quoted names and texts of a query, in order; a quote within is doubled, or in a text behind a backslash. Linear in time. */
export function* quotedIn(sql: string): Generator<Quoted> {
  const quotes = /[`']/g;
  for (let found = quotes.exec(sql); found; found = quotes.exec(sql)) {
    const quote = found[0] as Quoted["quote"];
    const to = endOfQuoted(sql, found.index, quote);
    const text = sql.slice(found.index + 1, to - 1).replaceAll(quote + quote, quote);
    yield { text, quote, from: found.index, to };
    quotes.lastIndex = to;
  }
}

/** Behind the quote that closes what begins at `from`; the end of the query where none does. */
function endOfQuoted(sql: string, from: number, quote: string): number {
  for (let at = from + 1; at < sql.length; at++) {
    if (sql[at] === "\\" && quote === "'") at++;
    else if (sql[at] !== quote) continue;
    else if (sql[at + 1] === quote) at++;
    else return at + 1;
  }
  return sql.length;
}

/** The names of two parts, such as `shop`.`orders`; those of one or three parts are left out. */
export function pairsIn(sql: string): [string, string][] {
  const pairs: [string, string][] = [];
  let chain: Quoted[] = [];
  const end = () => {
    const [first, second] = chain;
    if (chain.length === 2) pairs.push([first!.text, second!.text]);
    chain = [];
  };
  for (const one of quotedIn(sql)) {
    const last = chain.at(-1);
    const isNext = last && one.from === last.to + 1 && sql[last.to] === ".";
    if (!isNext) end();
    if (one.quote === "`") chain.push(one);
  }
  end();
  return pairs;
}
