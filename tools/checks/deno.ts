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
    const files = (await repositoryFiles(/\.tsx?$/)).filter((file) => !isBrowserCode(file));
    return { ...await tool(["check", "--quiet", ...files]), summary: `${files.length} files` };
  },
};

export const webTypes: Check = {
  name: "web types",
  cannotDetect:
    "answers that differ from the OpenAPI document which the client's types are made from",
  async run() {
    const compiler = "node_modules/typescript/bin/tsc";
    // Only what changed since the last run is checked again; Deno's own check does so by itself.
    const incremental = ["--incremental", "--tsBuildInfoFile", ".cache/checks/web.tsbuildinfo"];
    const project = ["--pretty", "false", "-p", "web/tsconfig.json"];
    const args = ["run", "-A", compiler, ...project, ...incremental];
    const { code, stdout, stderr } = await capture(process.execPath, args);
    const files = (await repositoryFiles(/\.tsx?$/)).filter(isBrowserCode);
    return {
      summary: `${files.length} files`,
      problems: code === 0 ? [] : `${stdout}${stderr}`.trim().split("\n"),
    };
  },
};

/** Files that know the types of a browser: the interface with its unit tests and a page of its benchmark, but not what builds them. */
function isBrowserCode(file: string): boolean {
  const here = ["web/", "bench/web/page/"].some((folder) => file.startsWith(folder));
  return here && !file.endsWith("vite.config.ts");
}

async function tool(args: string[]) {
  const { code, stdout, stderr } = await capture(process.execPath, args);
  const said = `${stdout}${stderr}`.replace(/\n+Stack backtrace:[^]*$/, "").trim();
  const summary = /Checked \d+ files?/.exec(said)?.[0].toLowerCase() ?? "";
  return { summary, problems: code === 0 ? [] : [said] };
}
