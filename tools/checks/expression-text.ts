import ts from "typescript";
import { eachNode } from "./program.ts";

/** A regular expression in a source file. */
export interface Expression {
  node: ts.Node;
  /** Null when it is built from values that are only known at run time. */
  source: string | null;
  flags: string;
}

/** All regular expressions of a file: literals, and arguments of `RegExp`. */
export function expressionsOf(file: ts.SourceFile): Expression[] {
  const constants = constantsOf(file);
  const found: Expression[] = [];
  eachNode(file, (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ node, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isRegExp(node)) {
      const [source, flags] = node.arguments ?? [];
      const text = source && textOf(source, constants);
      const given = flags ? textOf(flags, constants) : "";
      // A literal that is passed to `RegExp` is found as a literal anyway.
      if (source && ts.isRegularExpressionLiteral(source)) return;
      found.push({ node, source: given === null ? null : text ?? null, flags: given ?? "" });
    }
  });
  return found;
}

function isRegExp(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    node.expression.getText() === "RegExp";
}

type Constants = Map<string, ts.Expression>;

/** Values of names that are declared exactly once in the file, as constants. */
function constantsOf(file: ts.SourceFile): Constants {
  const constants: Constants = new Map();
  const twice = new Set<string>();
  eachNode(file, (node) => {
    const isNamed = ts.isVariableDeclaration(node) || ts.isParameter(node);
    if (!isNamed || !ts.isIdentifier(node.name)) return;
    const name = node.name.text;
    const isConstant = ts.isVariableDeclarationList(node.parent) &&
      (node.parent.flags & ts.NodeFlags.Const) !== 0;
    if (constants.has(name) || twice.has(name) || !isConstant || !node.initializer) {
      twice.add(name);
      constants.delete(name);
    } else constants.set(name, node.initializer);
  });
  return constants;
}

/** The string value of an expression, as far as it follows from the file alone. */
function textOf(node: ts.Expression, constants: Constants): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, constants);
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant ? textOf(constant, constants) : null;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined([textOf(node.left, constants), textOf(node.right, constants)]);
  }
  if (ts.isTaggedTemplateExpression(node)) {
    if (node.tag.getText() !== "String.raw") return null;
    return templateText(node.template, constants, (part) => part.rawText ?? part.text);
  }
  return ts.isTemplateExpression(node) ? templateText(node, constants, (part) => part.text) : null;
}

function templateText(
  node: ts.TemplateLiteral,
  constants: Constants,
  written: (part: ts.TemplateLiteralLikeNode) => string,
): string | null {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return written(node);
  const parts = node.templateSpans.flatMap((span) => [
    textOf(span.expression, constants),
    written(span.literal),
  ]);
  return joined([written(node.head), ...parts]);
}

function joined(parts: (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join("");
}

/** The top-level alternatives of an expression; groups and classes are not split. */
export function alternativesOf(source: string): string[] {
  const found = [""];
  let depth = 0;
  for (const [piece] of source.matchAll(/\\[^]|\[(?:[^\]\\]|\\[^])*\]|[^]/g)) {
    if (piece === "(") depth++;
    else if (piece === ")") depth--;
    if (piece === "|" && depth === 0) found.push("");
    else found[found.length - 1] += piece;
  }
  return found;
}
