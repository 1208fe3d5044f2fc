import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A command of a document, with what it prints. */
export interface Example {
  /** The beginning of its first line. */
  title: string;
  command: string;
  output: string;
}

/** Every command marked `sh run`, with the output that the next block shows. */
export function examplesOf(document: string): Example[] {
  const block = /```sh run\n(.*?)```\s*```text\n(.*?)```/gs;
  return [...document.matchAll(block)].map(([, command, output]) => ({
    title: command!.split("\n")[0]!.slice(0, 70),
    command: command!,
    output: output!.trim(),
  }));
}

/** What a command of a document prints within so many milliseconds, with these variables set. */
export async function outputOf(
  script: string,
  variables: Record<string, string> = {},
  timeout = 30_000,
): Promise<string> {
  const { stdout } = await run("sh", ["-c", script], {
    timeout,
    env: { ...process.env, ...variables, PATH: await searchPath() },
  });
  return stdout.replaceAll("\r", "").trim();
}

/** Commands on a machine without curl meet a stand-in of that name. */
async function searchPath(): Promise<string> {
  const path = process.env.PATH ?? "";
  const hasCurl = await run("sh", ["-c", "command -v curl"]).then(() => true, () => false);
  if (hasCurl) return path;
  const folder = mkdtempSync(join(tmpdir(), "tributary-docs-"));
  copyFileSync("test/support/http/curl.mjs", join(folder, "curl"));
  chmodSync(join(folder, "curl"), 0o755);
  return `${folder}:${path}`;
}
