import { capture, type Check, repositoryFiles } from "./check.ts";

export const format: Check = {
  name: "format",
  cannotDetect: "the layout of Markdown and generated documents, which are left as written",
  async run() {
    const { summary, problems } = await tool(["fmt", "--check"]);
    const files = problems.flatMap((said) => [...said.matchAll(/^from (.*):$/gm)]);
    const unformatted = files.map(([, file]) => `${file}: not formatted (deno fmt writes it)`);
    return { summary, problems: unformatted.length > 0 ? unformatted : problems };
  },
};

export const lint: Check = {
  name: "lint",
  cannotDetect: "what tools/checks/house-rules.ts names, and anything that needs types",
  run: () => tool(["lint"]),
};

export const types: Check = {
  name: "types",
  cannotDetect: "what SQL, Cypher and JSON hold at run time",
  async run() {
    const files = await repositoryFiles(/\.tsx?$/);
    return { ...await tool(["check", "--quiet", ...files]), summary: `${files.length} files` };
  },
};

async function tool(args: string[]) {
  const { code, stdout, stderr } = await capture(process.execPath, args);
  const said = `${stdout}${stderr}`.replace(/\n+Stack backtrace:[^]*$/, "").trim();
  const summary = /Checked \d+ files?/.exec(said)?.[0].toLowerCase() ?? "";
  return { summary, problems: code === 0 ? [] : [said] };
}
