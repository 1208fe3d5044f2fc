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
 * Operations change the catalogue only through `changing`: no feature begins its own transaction, and what writes is run
 * by the `tx` of a change, or in a function that takes a transaction as an argument.
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
    problems.push(
      `${file}:${
        lineOf(node)
      }: ${name} writes: run it by the tx of a change, or take a Transaction first`,
    );
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

function writes({ body, parameters }: ts.FunctionDeclaration, statements: Set<string>): boolean {
  const another = parameters.some(({ name, type }) =>
    name.getText() === "tx" && type?.getText() !== "Transaction"
  );
  let found = false;
  eachNode(body!, (node) => {
    const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    const isWrite = text
      ? write.test(node.getText())
      : ts.isIdentifier(node) && statements.has(node.text);
    found ||= isWrite && (another || !isRunInChange(node, body!));
  });
  return found;
}

/** Whether a statement is what `tx.query(…)` or `change.tx.query(…)` runs. */
function isRunInChange(statement: ts.Node, body: ts.Node): boolean {
  for (let node = statement.parent; node !== body; node = node.parent) {
    if (ts.isCallExpression(node) && /(^|\.)tx\.query$/.test(node.expression.getText())) {
      return true;
    }
  }
  return false;
}
