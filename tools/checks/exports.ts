import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Check, repositoryFiles, root } from "./check.ts";
import { isShipped } from "./program.ts";

/** An exported declaration. */
const declaration =
  /^export (?:async )?(?:function\*?|const|let|class|abstract class|interface|type|enum) ([\w$]+)/gm;
const word = /[A-Za-z_$][\w$]*/g;

export const unusedExports: Check = {
  name: "exports",
  cannotDetect: "an export whose name another file uses for something else, and exports by list",
  async run() {
    const names = await repositoryFiles(/\.(tsx?|mjs)$/);
    const files = new Map(names.map((file) => [file, readFileSync(join(root, file), "utf8")]));
    const problems = withoutUser(files).map(({ file, name }) =>
      `${file}: nobody else uses ${name}; do not export it`
    );
    return { summary: `${files.size} files`, problems };
  },
};

/** Exports of the product whose name occurs in no other file. `files`: texts by path. */
export function withoutUser(files: Map<string, string>): { file: string; name: string }[] {
  const exported = [...files].filter(([file]) => isProduct(file)).flatMap(([file, text]) =>
    [...text.matchAll(declaration)].map(([, name]) => ({ file, name: name! }))
  );
  const users = new Map(exported.map(({ name }) => [name, new Set<string>()]));
  for (const [file, text] of files) {
    for (const [found] of text.matchAll(word)) users.get(found)?.add(file);
  }
  return exported.filter(({ name }) => users.get(name)!.size < 2);
}

/** Files that run in a service or in the browser, but for generated ones. */
function isProduct(file: string): boolean {
  const isInterface = file.startsWith("web/") && !/\.test\.tsx?$|\/testing\//.test(file);
  return (isShipped(file) || isInterface) && !/\.gen\.ts$|\/generated\//.test(file);
}
