import type { SqlDataset } from "#services/ingest-consumer/sql-lineage/model.ts";
import { seeded } from "#test/support/random.ts";

/** Tables of the generated statements; `k` is the column that USING may name. */
export const sourceTables = { north: ["k", "a", "b"], south: ["k", "a", "c"], west: ["d", "e"] };
type TableName = keyof typeof sourceTables;

/** A column that a query makes: the columns of tables whose values it is made of are known by construction. */
interface GeneratedSql {
  name: string;
  origins: Set<string>;
}

interface Query {
  sql: string;
  columns: GeneratedSql[];
}

interface Source {
  alias: string;
  columns: GeneratedSql[];
  text: string;
}

export interface Generated {
  sql: string;
  /** The query alone, which can be executed. */
  query: string;
  /** Columns of the target, in order, with what they are made of: `north.a`. */
  columns: GeneratedSql[];
  /** The names that the query itself gives them. */
  aliases: string[];
  target: SqlDataset;
}

/** Writes statements of PostgreSQL whose lineage follows from how they are put together, not from reading them. */
export class SqlGenerator {
  readonly #random: () => number;
  #names = 0;
  #ctes: { name: string; columns: GeneratedSql[] }[] = [];

  /** With `fixedRows` no value decides which rows there are: no filter, and no condition of a join. */
  constructor(seed: number, private readonly fixedRows: boolean) {
    this.#random = seeded(seed);
  }

  statement(): Generated {
    this.#names = 0;
    this.#ctes = [];
    const ctes = this.#chance(0.4) ? [this.#cte(), ...this.#chance(0.4) ? [this.#cte()] : []] : [];
    const body = this.#query(2);
    const query = `${ctes.length > 0 ? `WITH ${ctes.join(", ")} ` : ""}${body.sql}`;
    const names = body.columns.map((_, at) => `t${at}`);
    const target = { id: 9, catrn: "//postgresql/tables/filled", name: "filled", fields: names };
    const list = names.join(", ");
    const sql = this.#pick([
      `INSERT INTO filled (${list}) ${query}`,
      `INSERT INTO filled ${query}`,
      `CREATE VIEW filled (${list}) AS ${query} WITH CHECK OPTION`,
      `CREATE TABLE filled (${list}) AS (${query}) WITH NO DATA`,
      `CREATE TEMP TABLE step (${list}) AS ${query}; INSERT INTO filled SELECT * FROM step`,
    ]);
    const columns = body.columns.map(({ origins }, at) => ({ name: names[at]!, origins }));
    const aliases = body.columns.map(({ name }) => name);
    return { sql: this.#noisy(sql), query, columns, aliases, target };
  }

  #cte(): string {
    const { sql, columns } = this.#query(1);
    const name = this.#name("cte");
    const named = columns.map((column) => ({ ...column, name: this.#name("m") }));
    this.#ctes.push({ name, columns: named });
    return `${name} (${named.map((one) => one.name).join(", ")}) AS (${sql})`;
  }

  #query(depth: number): Query {
    if (depth > 0 && this.#chance(0.2)) return this.#union(depth);
    const sources = this.#sources(depth);
    const columns: GeneratedSql[] = [];
    const texts: string[] = [];
    for (let left = 1 + this.#below(4); left > 0; left--) {
      const { text, origins } = this.#expression(sources, depth);
      const name = this.#alias(sources, columns);
      columns.push({ name, origins });
      texts.push(`${text} AS ${name}`);
    }
    if (this.#chance(0.25)) this.#addStar(sources, columns, texts);
    const where = this.fixedRows || this.#chance(0.6)
      ? ""
      : ` WHERE ${this.#any(sources).text} > 0`;
    return { sql: `SELECT ${texts.join(", ")} FROM ${this.#from(sources)}${where}`, columns };
  }

  /** Two queries of one width; the names are those of the first. */
  #union(depth: number): Query {
    const first = this.#query(0);
    const sources = this.#sources(depth - 1);
    const others = first.columns.map(() => this.#expression(sources, 0));
    const second = `SELECT ${others.map(({ text }) => text).join(", ")} FROM ${
      this.#from(sources)
    }`;
    const columns = first.columns.map(({ name, origins }, at) => ({
      name,
      origins: new Set([...origins, ...others[at]!.origins]),
    }));
    const sql = this.#chance(0.5)
      ? `(${first.sql}) UNION ALL (${second})`
      : `${first.sql} UNION ALL ${second}`;
    return { sql, columns };
  }

  #sources(depth: number): Source[] {
    return Array.from({ length: 1 + this.#below(3) }, () => this.#source(depth));
  }

  #source(depth: number): Source {
    const alias = this.#name("s");
    if (depth > 0 && this.#chance(0.35)) {
      const { sql, columns } = this.#query(depth - 1);
      if (this.#chance(0.5)) return { alias, columns, text: `(${sql}) AS ${alias}` };
      const named = columns.map((one) => ({ ...one, name: this.#name("n") }));
      return {
        alias,
        columns: named,
        text: `(${sql}) ${alias} (${named.map((one) => one.name).join(", ")})`,
      };
    }
    const cte = this.#ctes.length > 0 && this.#chance(0.5) ? this.#pick(this.#ctes) : undefined;
    if (cte) return { alias, columns: cte.columns, text: `${cte.name} ${alias}` };
    const table = this.#pick(Object.keys(sourceTables) as TableName[]);
    const columns = sourceTables[table].map((name) => ({
      name,
      origins: new Set([`${table}.${name}`]),
    }));
    return { alias, columns, text: `${table} AS ${alias}` };
  }

  #from(sources: Source[]): string {
    const [first, ...others] = sources as [Source, ...Source[]];
    return others.reduce((text, { text: next }) =>
      this.#pick([
        `${text} CROSS JOIN ${next}`,
        `(${text} JOIN ${next} ON true)`,
        `${text} LEFT JOIN ${next} ON (true)`,
      ]), first.text);
  }

  #expression(sources: Source[], depth: number): { text: string; origins: Set<string> } {
    const one = this.#any(sources);
    const two = this.#any(sources);
    const both = new Set([...one.origins, ...two.origins]);
    const made = [
      one,
      { text: `${one.text} + ${two.text}`, origins: both },
      { text: `COALESCE(${one.text}, ${two.text})`, origins: both },
      { text: `CASE WHEN ${one.text} > 1 THEN ${two.text} ELSE 0 END`, origins: both },
      { text: `CAST(${one.text} AS bigint)`, origins: one.origins },
      { text: `sum(${one.text}) OVER (PARTITION BY ${two.text})`, origins: both },
      { text: "1", origins: new Set<string>() },
    ];
    if (depth > 0) {
      const inner = this.#source(0);
      const column = this.#pick(inner.columns);
      made.push({
        text: `(SELECT max(${inner.alias}.${column.name}) FROM ${inner.text})`,
        origins: column.origins,
      });
    }
    return this.#pick(made);
  }

  /** A column of the sources, with a qualifier unless only one has it. */
  #any(sources: Source[]): { text: string; origins: Set<string> } {
    const source = this.#pick(sources);
    const named = source.columns.filter(({ name }) =>
      source.columns.filter((other) => other.name === name).length === 1
    );
    if (named.length === 0) return { text: "0", origins: new Set() };
    const column = this.#pick(named);
    const count =
      sources.flatMap(({ columns }) => columns).filter(({ name }) => name === column.name).length;
    const bare = count === 1 && this.#chance(0.5);
    return { text: bare ? column.name : `${source.alias}.${column.name}`, origins: column.origins };
  }

  /** A name of its own, or that of a column of the sources: such an alias must not be taken for the column. */
  #alias(sources: Source[], before: GeneratedSql[]): string {
    const taken = this.#pick(this.#pick(sources).columns).name;
    const isFree = !before.some(({ name }) => name === taken);
    return isFree && this.#chance(0.4) ? taken : this.#name("x");
  }

  #addStar(sources: Source[], columns: GeneratedSql[], texts: string[]): void {
    const source = this.#pick(sources);
    const names = new Set([...columns, ...source.columns].map(({ name }) => name));
    if (names.size < columns.length + source.columns.length) return;
    columns.push(...source.columns);
    texts.push(`${source.alias}.*`);
  }

  /** Comments and letter case make no difference. */
  #noisy(sql: string): string {
    const text = this.#chance(0.3) ? sql.toUpperCase() : sql;
    return this.#chance(0.3) ? text.replaceAll(" AS ", " /* , x.y */ AS -- z\n ") : text;
  }

  #name = (prefix: string) => `${prefix}${this.#names++}`;
  #chance = (share: number) => this.#random() < share;
  #below = (limit: number) => Math.floor(this.#random() * limit);
  #pick = <T>(list: readonly T[]): T => list[this.#below(list.length)]!;
}
