import type { Token } from "./tokens.ts";

/** Words that begin a statement of T-SQL on a line of its own, where no semicolon ends the one before. */
const beginners = new Set([
  ...["INSERT", "CREATE", "DECLARE", "EXEC", "EXECUTE", "DROP", "TRUNCATE", "PRINT", "MERGE", "GO"],
  ...["UPDATE", "DELETE", "USE", "IF", "BEGIN", "END"],
]);
/** After these the words above go on with a statement. */
const goesOn = new Set([
  "THEN",
  "AS",
  "OR",
  "ON",
  "FOR",
  "ELSE",
  "NOT",
  "EXISTS",
  "AFTER",
  ",",
  "(",
]);
const mainVerbs = new Set(["INSERT", "SELECT", "UPDATE", "DELETE", "MERGE"]);

/** The statements of a text, each as its tokens, without semicolons. */
export function statementsOf(tokens: Token[], sql: string, dialect: string): Token[][] {
  const statements: Token[][] = [[]];
  const end = () => {
    if (statements.at(-1)!.length > 0) statements.push([]);
  };
  for (const token of tokens) {
    const current = statements.at(-1)!;
    if (token.word === ";" && token.depth === 0) end();
    else {
      if (dialect === "tsql" && beginsStatement(token, current, sql)) end();
      statements.at(-1)!.push(token);
    }
  }
  return statements.filter((one) => one.length > 0);
}

/** Whether a CASE outside of parentheses has not ended. */
function hasOpenCase(tokens: Token[]): boolean {
  let open = 0;
  for (const { word, depth } of tokens) {
    if (depth > 0) continue;
    if (word === "CASE") open++;
    if (word === "END") open--;
  }
  return open > 0;
}

function beginsStatement(token: Token, current: Token[], sql: string): boolean {
  const last = current.at(-1);
  if (!last || token.depth > 0 || !beginners.has(token.word) || goesOn.has(last.word)) return false;
  if (!sql.slice(last.end, token.start).includes("\n")) return false;
  if (token.word === "END" && hasOpenCase(current)) return false;
  const isPrefix = current[0]!.word === "WITH" &&
    !current.some(({ word, depth }) => depth === 0 && mainVerbs.has(word));
  return !isPrefix;
}
