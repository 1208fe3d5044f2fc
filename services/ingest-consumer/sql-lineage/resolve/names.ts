import { wordsOf } from "../text/tokens.ts";
import { isNode, textOf } from "../parse/ast.ts";

/** A name as SQL writes it. */
export interface Name {
  text: string;
  lower: string;
  quoted: boolean;
}

export const nameOf = (text: string, quoted = false): Name => ({
  text,
  lower: text.toLowerCase(),
  quoted,
});

/** The name of an identifier of the parser's; null for anything else. */
export function nameOfNode(node: unknown): Name | null {
  const text = textOf(node);
  if (text === undefined) return null;
  const bare = isNode(node) && isNode(node.identifier) ? node.identifier : node;
  return nameOf(text, isNode(bare) && bare.quoted === true);
}

const upper = new Set(["snowflake", "oracle", "exasol"]);
const lower = new Set(["postgresql", "redshift", "materialize", "risingwave", "cockroachdb"]);

/** A name as the system keeps it, where letter case makes a difference. */
function folded(name: Name, dialect: string): string {
  if (name.quoted) return name.text;
  if (upper.has(dialect)) return name.text.toUpperCase();
  return lower.has(dialect) ? name.lower : name.text;
}

/** Of things whose names differ by letter case alone, those that a name means. */
export function exact<T>(found: T[], name: Name, dialect: string, nameIn: (one: T) => Name): T[] {
  if (found.length < 2) return found;
  const wanted = folded(name, dialect);
  const same = found.filter((one) => folded(nameIn(one), dialect) === wanted);
  return same.length > 0 ? same : found;
}

/** Names of what the system makes for each row or statement. */
const pseudo = wordsOf(`
  rownum rowid sysdate systimestamp current_date current_timestamp ctid current_time localtime
  localtimestamp current_user session_user xmin xmax _partitiontime _partitiondate _table_suffix
  _file_name _metadata tableoid input__file__name block__offset__inside__file sysdatetime _rowid_
  current_role $path $file_size $file_modified_time $partition _change_type cmin cmax
`);
/** Of systems that walk over trees with CONNECT BY. */
const pseudoOfTrees = new Set(["level", "uid", "user"]);

/** Whether a name may be that of a column which is in no structure. */
export function isPseudo({ lower: name }: Name, dialect: string): boolean {
  return pseudo.has(name) || name.startsWith("metadata$") ||
    (pseudoOfTrees.has(name) && (dialect === "oracle" || dialect === "snowflake"));
}

/** Whether a name is that of a variable, of a sequence's value, or no name. */
export const isNoColumn = ({ lower: name }: Name): boolean =>
  /^(@|:|$)|^(nextval|currval|\*)$/.test(name);

const units = wordsOf(`
  year years yyyy yy quarter qq month months mm week isoweek day days dd dayofyear dayofweek hour
  hours hh minute minutes mi second seconds ss millisecond ms microsecond nanosecond isoyear
  weekday dw dow doy epoch date time monday sunday tuesday wednesday thursday friday saturday mcs
  ns d m y q w
`);
const dated = /date|time|trunc|extract|last_day|next_day|^week$|months_between|interval/i;

/** Whether an argument of a function is a unit of time, such as `day`. */
export function isUnit(name: Name, functionName: string): boolean {
  return !name.quoted && units.has(name.lower) && dated.test(functionName);
}

/** Systems whose aliases may be used in the SELECT that defines them. */
export const lateralAliases = new Set([
  ...["redshift", "snowflake", "databricks", "spark", "duckdb", "teradata", "clickhouse"],
]);
/** Systems where `a.b` may be the field `b` of a column `a`. */
export const structPaths = new Set([
  ...["bigquery", "spark", "databricks", "hive", "duckdb", "clickhouse", "trino", "presto"],
  ...["athena", "redshift", "drill", "dremio", "generic"],
]);
