import ts from "typescript";
import type { Check } from "./check.ts";
import { eachNode, isExcused, lineOf, shippedFiles, typedProgram } from "./program.ts";

/** The comment that excuses a lookup, with its reason: `// lookup-ok -- names of our own`. */
const excuse = "lookup-ok";

/**
 * No plain object is read or written by a member name that may come from outside: every object has a member
 * `constructor`. Our own tables are `Map`s, other objects are read by `kit/own.ts`, and objects are built by
 * `Object.fromEntries`.
 */
export const lookups: Check = {
  name: "lookups",
  cannotDetect:
    "a name that was cast to one of a closed list before it is used, `in`, `Reflect` and " +
    "`Object.assign`, objects within libraries, and what tools, tests and benchmarks do",
  async run() {
    const files = await shippedFiles();
    const problems = lookupsIn(files);
    return { summary: `${files.length} files`, problems };
  },
};

/** Places in these files that look up a member by a name that is not from a closed set. */
export function lookupsIn(files: string[], directory?: string): string[] {
  const program = typedProgram(files, directory);
  const checker = program.getTypeChecker();
  const problems: string[] = [];
  for (const source of program.getSourceFiles()) {
    const file = files.find((name) => source.fileName.endsWith(`/${name}`));
    if (file === undefined || source.fileName.includes("/node_modules/")) continue;
    eachNode(source, (node) => {
      if (!ts.isElementAccessExpression(node) || !isOpen(node, checker)) return;
      if (isOwnKey(node) || isExcused(node, excuse)) return;
      problems.push(`${file}:${lineOf(node)}: ${node.getText()}: a Map, or kit/own.ts`);
    });
  }
  return problems;
}

/** Whether the name can be any text; a name that is cast where it is used counts as any text. */
function isOpen({ argumentExpression: name }: ts.ElementAccessExpression, checker: ts.TypeChecker) {
  if (ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return false;
  return ts.isAsExpression(name) || isText(checker.getTypeAtLocation(name));
}

function isText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isText);
  const open = ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping |
    ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  if (type.flags & open) return true;
  return type.isTypeParameter() && isText(type.getConstraint() ?? type);
}

/** `object[key]` within `for (const key of Object.keys(object))`: such a key is always an own member. */
function isOwnKey({ expression, argumentExpression }: ts.ElementAccessExpression): boolean {
  const own = new RegExp(
    `^Object\\.keys\\(${RegExp.escape(expression.getText())}\\)(\\.sort\\(\\))?$`,
  );
  for (let at: ts.Node = expression; at; at = at.parent) {
    if (!ts.isForOfStatement(at) || !ts.isVariableDeclarationList(at.initializer)) continue;
    const [declared] = at.initializer.declarations;
    if (declared?.name.getText() !== argumentExpression.getText()) continue;
    return own.test(at.expression.getText());
  }
  return false;
}
