import { interfaceText } from "./interface-text.ts";

/**
 * Rules of this repository for `deno lint`. An exception is written next to the code, with its reason: `//
 * deno-lint-ignore house/function-length -- one table, read from top to bottom`.
 *
 * They cannot detect: a long file or function that was split at an arbitrary place, the runtime's own API
 * used through a dependency, a test that returns early.
 */
const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "file-length": { create: fileLength },
    "function-length": { create: functionLength },
    "runtime-api": { create: runtimeApi },
    "no-skipped-test": { create: noSkippedTest },
    "ignore-reason": { create: ignoreReason },
    "interface-text": { create: interfaceText },
  },
};
export default plugin;

type Context = Deno.lint.RuleContext;
type FunctionNode =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

const maxFileLines = 400;
const maxFunctionLines = 60;

function fileLength(context: Context): Deno.lint.LintVisitor {
  return {
    Program(node) {
      const lines = context.sourceCode.text.trimEnd().split("\n").length;
      if (lines <= maxFileLines) return;
      const message = `${lines} lines; at most ${maxFileLines}`;
      context.report({ range: [node.range[0], node.range[0] + 1], message });
    },
  };
}

/** In tests, a callback (of `it`) counts apart from its surroundings; `describe` is not counted. */
function functionLength(context: Context): Deno.lint.LintVisitor {
  const isTest = /\.test\.tsx?$|\/(test|bench)\//.test(context.filename);
  const open: { handedOn: number }[] = [];
  const enter = () => void open.push({ handedOn: 0 });
  const leave = (node: FunctionNode) => {
    const whole = context.sourceCode.text.slice(...node.range).split("\n").length;
    const lines = whole - (open.pop()?.handedOn ?? 0);
    const outer = open.at(-1);
    if (isTest && outer && node.parent.type === "CallExpression") outer.handedOn += whole - 1;
    if (lines <= maxFunctionLines || isDescribed(node, context)) return;
    const message = `${lines} lines; at most ${maxFunctionLines}`;
    context.report({ range: [node.range[0], node.range[0] + 1], message });
  };
  return {
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    "FunctionDeclaration:exit": leave,
    "FunctionExpression:exit": leave,
    "ArrowFunctionExpression:exit": leave,
  };
}

function isDescribed({ parent }: FunctionNode, { sourceCode }: Context): boolean {
  return parent.type === "CallExpression" &&
    sourceCode.text.slice(...parent.callee.range).startsWith("describe");
}

function runtimeApi(context: Context): Deno.lint.LintVisitor {
  if (/(^|\/)runtime\.ts$/.test(context.filename)) return {};
  const message =
    "Deno.* belongs into a file called runtime.ts; use Web APIs or node: modules here";
  return {
    MemberExpression(node) {
      if (node.object.type === "Identifier" && node.object.name === "Deno") {
        context.report({ node, message });
      }
    },
  };
}

const skipping = ["skip", "only", "todo", "skipIf", "runIf", "fails"];

function noSkippedTest(context: Context): Deno.lint.LintVisitor {
  return {
    MemberExpression(node) {
      if (node.property.type !== "Identifier" || !skipping.includes(node.property.name)) return;
      const text = context.sourceCode.text.slice(...node.object.range);
      if (!/^(it|test|describe|suite|bench)\b/.test(text)) return;
      const message = `${text}.${node.property.name} lets a test not run, or only some`;
      context.report({ node, message });
    },
  };
}

function ignoreReason(context: Context): Deno.lint.LintVisitor {
  return {
    Program() {
      const pattern =
        /^ *\/\/ (?:deno-(?:lint|fmt)-ignore|@ts-(?:ignore|expect-error|nocheck)).*/gm;
      for (const match of context.sourceCode.text.matchAll(pattern)) {
        if (/ -- \S/.test(match[0])) continue;
        const range: Deno.lint.Range = [match.index, match.index + match[0].length];
        context.report({ range, message: "an exception needs its reason: `-- because …`" });
      }
    },
  };
}
