import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { type Check, root } from "./check.ts";
import { eachNode, isExcused, lineOf, shippedFiles } from "./program.ts";

/** The comment that excuses a place, with its reason: `// change-ok -- no part of the catalogue`. */
const excuse = "change-ok";

/** Feature folders whose operations change the catalogue; ingestion has its own write path. */
const families = /^services\/api\/features\/(?!ingestion\/)/;

/**
 * Operations change the catalogue only through `changing`: no feature begins its own transaction, and
 * functions that write take a transaction as an argument, so that they cannot be called without one.
 */
export const changes: Check = {
  name: "changes",
  cannotDetect:
    "writes by functions of the database that a statement calls, and those of ingestion",
  async run() {
    const files = (await shippedFiles()).filter((file) => families.test(file));
    const problems = await Promise.all(
      files.map(async (file) => changesIn(file, await readFile(join(root, file), "utf8"))),
    );
    return { summary: `${files.length} files`, problems: problems.flat() };
  },
};

/** Places in a file that change the catalogue without `changing`. */
export function changesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const writing = writingStatements(source);
  const problems: string[] = [];
  eachNode(source, (node) => {
    if (ts.isCallExpression(node) && begins.test(node.expression.getText())) {
      if (isExcused(node, excuse)) return;
      problems.push(`${file}:${lineOf(node)}: a transaction of its own: use changing()`);
    }
    if (!ts.isFunctionDeclaration(node) || !node.body || !writes(node, writing)) return;
    const [first] = node.parameters;
    const type = first?.type?.getText();
    if (type === "Transaction" || isExcused(node, excuse)) return;
    const name = node.name?.getText();
    problems.push(`${file}:${lineOf(node)}: ${name} writes: its first parameter is a Transaction`);
  });
  return problems;
}

const begins = /(^|\.)(retryingTransaction|transaction)$/;
const write = /\b(INSERT\s+INTO|UPDATE\s+\w+\s+(AS\s+\w+\s+)?SET|DELETE\s+FROM)\b/;

/** Names of a file's constants that hold a writing statement. */
function writingStatements(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && !ts.isArrowFunction(initializer) && write.test(initializer.getText())) {
        names.add(name.getText());
      }
    }
  }
  return names;
}

function writes({ body }: ts.FunctionDeclaration, statements: Set<string>): boolean {
  let found = false;
  eachNode(body!, (node) => {
    found ||= ts.isIdentifier(node) && statements.has(node.text);
    const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    found ||= text && write.test(node.getText());
  });
  return found;
}
