import { type Dialect, parse } from "@polyglot-sql/sdk";
import { isNode, type Node } from "./ast.ts";

/** Marks that mean one thing in one system and another in the next: names here, strings or arrays there. */
const ambiguous = /["`[#$]/;

/** In these a text in double quotes is a string, but after AS, where it can only be a name. */
const quotedStrings = new Set(["bigquery", "databricks", "hive", "spark"]);
const quotedAlias = /\b(AS\s+)"([^"`\\\n]+)"/gi;

/**
 * The tree of one statement, as its system reads it. Where the parser does not understand that, SQL that is written alike
 * in all systems is read as standard SQL, and as that of PostgreSQL. Undefined for what is not understood.
 */
export function parsedText(text: string, dialect: string): Node | undefined {
  const renamed = quotedStrings.has(dialect) ? text.replace(quotedAlias, "$1`$2`") : text;
  const dialects = ambiguous.test(renamed) ? [dialect] : [dialect, "generic", "postgresql"];
  for (const one of new Set(dialects)) {
    const { success, ast } = parse(renamed, one as Dialect);
    const [first, ...more] = success && Array.isArray(ast) ? ast as unknown[] : [];
    if (isNode(first) && more.length === 0 && !("raw" in first)) return first;
  }
  return undefined;
}
