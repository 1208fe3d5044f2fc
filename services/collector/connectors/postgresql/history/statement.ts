import { tablesOf, type TableUse } from "#platform/sql/tables.ts";
import type { RelationName } from "../names.ts";
import type { NamedRelation, RolePath } from "./queries.ts";

/** Longest statement that is read, in characters; of a longer one only the beginning is analysed. */
export const maxStatement = 65_536;

/** A name as PostgreSQL reads it, its schema before it if it is given: `["public", "orders"]`. */
type NameParts = string[];

/**
 * What a statement does: it uses tables, or none (`other`), or is not understood. `writes` holds what it fills from
 * `reads`, nothing for statements that only read, delete or set constants.
 */
export type StatementUse =
  | { kind: "data"; reads: NameParts[]; writes: NameParts[]; creates: boolean }
  | { kind: "other" }
  | { kind: "unknown" };

/** First words of statements that read or write tables. */
const dataWords = new Set([
  ..."SELECT WITH INSERT UPDATE DELETE MERGE TABLE VALUES COPY DECLARE CREATE".split(" "),
  "(",
]);
/** First words of other statements; whatever is not listed is not understood. */
const otherWords = new Set(
  ("ALTER DROP TRUNCATE SET RESET SHOW BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE END ABORT ANALYZE VACUUM CLUSTER REINDEX " +
    "REFRESH GRANT REVOKE COMMENT LOCK LISTEN NOTIFY UNLISTEN FETCH MOVE CLOSE EXPLAIN EXECUTE DEALLOCATE DISCARD DO CALL " +
    "CHECKPOINT LOAD IMPORT SECURITY REASSIGN").split(" "),
);
/** Verbs whose tables are filled. */
const fillingVerbs = new Set(["INSERT", "UPDATE", "MERGE", "CREATE", "SELECT"]);

const prepareClause = /^PREPARE (?:"(?:[^"]|"")*"|[\w$]+) ?(?:\([^)]*\))? ?AS /i;

/** A statement as it runs: what PREPARE stores is recorded under its text. */
export const executed = (statement: string): string => statement.replace(prepareClause, "");

/** What a normalised statement does with which tables. */
export function useOf(statement: string): StatementUse {
  const first = (/^(\(|[A-Za-z]+)/.exec(statement)?.[1] ?? "").toUpperCase();
  if (otherWords.has(first)) return { kind: "other" };
  if (!dataWords.has(first)) return { kind: "unknown" };
  const uses = tablesOf(statement, maxStatement, "postgresql");
  const isQuery = first === "CREATE" ? /\bAS\b/i.test(statement) : first !== "COPY";
  const reads = uses.filter(({ access }) => access === "read");
  const written = uses.filter(({ access }) => access === "write");
  if (["INSERT", "UPDATE", "DELETE", "MERGE"].includes(first) && written.length === 0) {
    return { kind: "unknown" };
  }
  const filled = isQuery ? written.filter(({ verb }) => fillingVerbs.has(verb)) : [];
  // What a common table expression deletes and returns moves on.
  const moved = filled.length > 0 ? written.filter(({ verb }) => verb === "DELETE") : [];
  return {
    kind: "data",
    reads: partsOf([...reads, ...moved]),
    writes: partsOf(filled),
    creates: first === "CREATE",
  };
}

const partsOf = (uses: TableUse[]): NameParts[] => uses.map(({ raw }) => nameParts(raw));

const namePart = /"((?:[^"]|"")*)"?|[^\s."]+/g;

/** Parts of a name as written; without quotes letter case does not matter. */
export function nameParts(raw: string): NameParts {
  return [...raw.matchAll(namePart)].map(([text, quoted]) =>
    quoted === undefined ? text.toLowerCase() : quoted.replaceAll('""', '"')
  );
}

/** Where roles look unless something else is set. */
const serverDefault = '"$user", public';

/** Schemas in which a role looks for a table, in order. */
export function schemasOf(
  { name, path }: Pick<RolePath, "name" | "path">,
  standard: string | null,
): string[] {
  return (path ?? standard ?? serverDefault).split(",").flatMap((one) => nameParts(one.trim()))
    .map((schema) => schema === "$user" ? name : schema);
}

/** Finds the relations that statements name, as the server does. */
export class RelationIndex {
  readonly #byName: Map<string, NamedRelation[]>;

  constructor(relations: NamedRelation[], private readonly database: string) {
    this.#byName = Map.groupBy(relations, ({ givenName }) => givenName);
  }

  /**
   * The table of that name; undefined for one that is gone, temporary, or of another database. A name without schema
   * that none of the role's schemas holds is that of the only table which is called so: sessions can set other schemas.
   */
  find(parts: NameParts, schemas: string[]): RelationName | undefined {
    const [name, schema, database, ...more] = parts.toReversed();
    if (name === undefined || more.length > 0) return undefined;
    if (database !== undefined && database !== this.database) return undefined;
    const called = this.#byName.get(name) ?? [];
    const within = (one: string) => called.find(({ givenSchema }) => givenSchema === one);
    if (schema !== undefined) return within(schema);
    const found = schemas.map(within).find((one) => one !== undefined);
    return found ?? (called.length === 1 ? called[0] : undefined);
  }
}

/** Words after which a number in parentheses belongs to a type: `numeric(10, 2)`. */
const sizedTypes = new Set(
  ("numeric decimal varchar char character varying bpchar bit time timestamp timestamptz timetz interval float " +
    "precision").split(" "),
);

const word = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`;
// Each of these matches to the end of the text when it is not closed, so that nothing is tried twice.
// expression-ok -- each token ends at its closing mark, or takes the rest; normalise.test.ts measures it
const token = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`(?<comment>--[^\n]*|/\*)`,
    String.raw`(?<escaped>[eE]'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$))`,
    String
      .raw`(?<literal>(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*(?:'|$)|\$(?<tag>[A-Za-z_]*)\$[\s\S]*?(?:\$\k<tag>\$|$))`,
    String.raw`(?<parameter>\$\d+)`,
    String
      .raw`(?<number>0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)`,
    String.raw`(?<name>(?:[uU]&)?"(?:[^"]|"")*(?:"|$)|${word})`,
    String.raw`(?<other>[\s\S])`,
  ].join("|"),
  "gy",
);

/**
 * A statement of PostgreSQL without literals and comments, its white space folded. pg_stat_statements replaces constants
 * by parameters itself, but not those of utility statements such as CREATE TABLE AS before PostgreSQL 16, and it keeps
 * comments, in which programs write names of users and of requests. Places of columns (`GROUP BY 1`) and sizes of types
 * stay.
 */
export function normalised(statement: string): string {
  return new Normaliser(statement).text();
}

class Normaliser {
  readonly #out: string[] = [];
  #parameters: number;
  /** The last words, in lower case. */
  #before = "";
  #isOrdinal = false;
  /** Depth of parentheses that hold the size of a type, 0 outside. */
  #inType = 0;

  constructor(private readonly statement: string) {
    this.#parameters = maxParameter(statement);
  }

  text(): string {
    token.lastIndex = 0;
    for (let at = 0; at < this.statement.length; at = token.lastIndex) {
      token.lastIndex = at;
      const { groups = {}, 0: text } = token.exec(this.statement)!;
      if (groups.comment === "/*") token.lastIndex = this.#endOfComment(at);
      if (groups.space !== undefined || groups.comment !== undefined) this.#space();
      else this.#take(text, groups);
    }
    return this.#out.join("").trim();
  }

  #take(text: string, groups: Record<string, string | undefined>): void {
    if (groups.escaped !== undefined || groups.literal !== undefined) return this.#literal();
    if (groups.number !== undefined) {
      if (!this.#isOrdinal && this.#inType === 0) return this.#literal();
    } else if (text === "(") {
      this.#inType = this.#inType > 0 || sizedTypes.has(this.#before) ? this.#inType + 1 : 0;
      this.#isOrdinal = false;
    } else if (text === ")") this.#inType = Math.max(0, this.#inType - 1);
    else if (text !== ",") this.#isOrdinal = text.toLowerCase() === "by";
    this.#before = text.toLowerCase();
    this.#out.push(text);
  }

  #literal(): void {
    this.#isOrdinal = false;
    this.#before = "";
    this.#out.push(`$${++this.#parameters}`);
  }

  #space(): void {
    if (this.#out.at(-1) !== " ") this.#out.push(" ");
  }

  /** Comments of this form may be nested. */
  #endOfComment(from: number): number {
    let depth = 0;
    for (let at = from; at < this.statement.length; at++) {
      const two = this.statement.slice(at, at + 2);
      if (two === "/*") depth++;
      else if (two === "*/") depth--;
      else continue;
      if (depth === 0) return at + 2;
      at++;
    }
    return this.statement.length;
  }
}

function maxParameter(statement: string): number {
  let max = 0;
  for (const [, number] of statement.matchAll(/\$(\d{1,9})/g)) max = Math.max(max, Number(number));
  return max;
}
