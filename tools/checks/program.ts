import { join } from "node:path";
import ts from "typescript";
import { repositoryFiles, root } from "./check.ts";

/** Files that run in a service, and so may process input of strangers. */
export async function shippedFiles(): Promise<string[]> {
  return (await repositoryFiles(/\.tsx?$/)).filter(isShipped);
}

/** Whether a file runs in a service. */
export function isShipped(file: string): boolean {
  const shipped =
    /^(main\.ts|(kit|contract|metadata|cache|storage|eventlog|graph|platform|services)\/.*\.tsx?)$/;
  return shipped.test(file) && !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(file);
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.Preserve,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: ["node"],
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
};

/** A program of these files with type information. Type errors are left to `deno check`. */
export function typedProgram(files: string[], directory = root): ts.Program {
  return ts.createProgram(files.map((file) => join(directory, file)), options);
}

/** Calls `visit` with each node of a file, from top to bottom. */
export function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

/** Line of a node, counted from 1. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/**
 * Whether a comment `// <word> -- <reason>` stands on the line of a node, or on its own on the line
 * before the statement or member that the node is part of.
 */
export function isExcused(node: ts.Node, word: string): boolean {
  const lines = node.getSourceFile().text.split("\n");
  const mark = new RegExp(`// ${word} -- \\S`);
  for (let at: ts.Node | undefined = node; at && !ts.isSourceFile(at); at = at.parent) {
    const line = lineOf(at);
    if (mark.test(lines[line - 1] ?? "") || mark.test(lines[line - 2] ?? "")) return true;
    if (ts.isStatement(at) || ts.isClassElement(at)) return false;
  }
  return false;
}
