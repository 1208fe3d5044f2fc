import { tablesOf, type TableUse } from "#platform/sql/tables.ts";

/** Longest statement that is read, in characters; of a longer one only the beginning is analysed. */
export const maxStatement = 65_536;

/** A name as PostgreSQL reads it, its schema before it if it is given: `["public", "orders"]`. */
export type NameParts = string[];

/**
 * What a statement does: it uses tables, or none (`other`), or is not understood. `writes` holds what it fills from
 * `reads`, nothing for statements that only read, delete or set constants.
 */
export type StatementUse =
  | { kind: "data"; reads: NameParts[]; writes: NameParts[]; creates: boolean }
  | { kind: "other" }
  | { kind: "unknown" };

/** First words of statements that read or write tables. */
const data = new Set([
  ..."SELECT WITH INSERT UPDATE DELETE MERGE TABLE VALUES COPY DECLARE CREATE".split(" "),
  "(",
]);
/** First words of other statements; whatever is not listed is not understood. */
const others = new Set(
  ("ALTER DROP TRUNCATE SET RESET SHOW BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE END ABORT ANALYZE VACUUM CLUSTER REINDEX " +
    "REFRESH GRANT REVOKE COMMENT LOCK LISTEN NOTIFY UNLISTEN FETCH MOVE CLOSE EXPLAIN EXECUTE DEALLOCATE DISCARD DO CALL " +
    "CHECKPOINT LOAD IMPORT SECURITY REASSIGN").split(" "),
);
/** Verbs whose tables are filled. */
const fills = new Set(["INSERT", "UPDATE", "MERGE", "CREATE", "SELECT"]);

const prepared = /^PREPARE (?:"(?:[^"]|"")*"|[\w$]+) ?(?:\([^)]*\))? ?AS /i;

/** A statement as it runs: what PREPARE stores is recorded under its text. */
export const executed = (statement: string): string => statement.replace(prepared, "");

/** What a normalised statement does with which tables. */
export function useOf(statement: string): StatementUse {
  const first = (/^(\(|[A-Za-z]+)/.exec(statement)?.[1] ?? "").toUpperCase();
  if (others.has(first)) return { kind: "other" };
  if (!data.has(first)) return { kind: "unknown" };
  const uses = tablesOf(statement, maxStatement, "postgresql");
  const isQuery = first === "CREATE" ? /\bAS\b/i.test(statement) : first !== "COPY";
  const reads = uses.filter(({ access }) => access === "read");
  const written = uses.filter(({ access }) => access === "write");
  if (["INSERT", "UPDATE", "DELETE", "MERGE"].includes(first) && written.length === 0) {
    return { kind: "unknown" };
  }
  const filled = isQuery ? written.filter(({ verb }) => fills.has(verb)) : [];
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

const part = /"((?:[^"]|"")*)"?|[^\s."]+/g;

/** Parts of a name as written; without quotes letter case does not matter. */
export function nameParts(raw: string): NameParts {
  return [...raw.matchAll(part)].map(([text, quoted]) =>
    quoted === undefined ? text.toLowerCase() : quoted.replaceAll('""', '"')
  );
}
