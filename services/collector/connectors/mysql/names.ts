import { escaped } from "#platform/naming/text.ts";

export interface RelationName {
  database: string;
  name: string;
  isView: boolean;
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
    const to = endOf(sql, found.index, quote);
    const text = sql.slice(found.index + 1, to - 1).replaceAll(quote + quote, quote);
    yield { text, quote, from: found.index, to };
    quotes.lastIndex = to;
  }
}

/** Behind the quote that closes what begins at `from`; the end of the query where none does. */
function endOf(sql: string, from: number, quote: string): number {
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
