import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository; paths in checks are relative to it, with `/` as separator. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** A check of the repository that takes seconds and needs no engine. */
export interface Check {
  name: string;
  /** What the check does not find although a reader may expect it to. */
  cannotDetect: string;
  run(options: CheckOptions): Promise<CheckResult>;
}

export interface CheckOptions {
  /** Whether generated files are rewritten instead of compared. */
  update: boolean;
}

export interface CheckResult {
  /** What was checked, such as `212 files`. */
  summary: string;
  /** One text per problem, starting with its place when it has one. */
  problems: string[];
}

/** Output and exit code of a program; does not reject for a non-zero exit code. */
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

/** Files that are committed or not ignored, sorted by name. */
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
  // Without this option git refuses a clone that belongs to another account.
  const { code, stdout, stderr } = await capture("git", ["-c", "safe.directory=*", ...args]);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.split("\0").filter((name) => name !== "");
}
