import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository; every path of a check is relative to it, with `/`. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Something that must hold of the repository, told within seconds and without any engine. */
export interface Check {
  name: string;
  /** What a reader may wrongly believe to be covered. */
  cannotDetect: string;
  run(options: CheckOptions): Promise<CheckResult>;
}

export interface CheckOptions {
  /** Whether generated files are written anew instead of compared. */
  update: boolean;
}

export interface CheckResult {
  /** What was looked at, such as `212 files`. */
  summary: string;
  /** One entry each, starting with its place where it has one. */
  problems: string[];
}

/** What a program said and how it ended; never rejects for its exit code. */
export function capture(
  command: string,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, maxBuffer: 1 << 28, env: { ...process.env, NO_COLOR: "1" } };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") return reject(error);
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

let listed: Promise<string[]> | undefined;

/** Files that are committed or about to be, by name. */
export async function repositoryFiles(pattern: RegExp): Promise<string[]> {
  listed ??= list();
  return (await listed).filter((file) => pattern.test(file));
}

async function list(): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const deleted = new Set(await names(["ls-files", "--deleted", "-z"]));
  return [...new Set(await names(args))].filter((file) => !deleted.has(file)).sort();
}

async function names(args: string[]): Promise<string[]> {
  // A clone that another account owns is still the one to be checked.
  const { code, stdout, stderr } = await capture("git", ["-c", "safe.directory=*", ...args]);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.split("\0").filter((name) => name !== "");
}
