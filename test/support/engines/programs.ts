import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface ProgramResult {
  code: number | null;
  /** All that it wrote, and of that what went to standard error. */
  text: string;
  errors: string;
}

/** Runs a program of ours to its end, with all permissions. */
export function runProgram(program: string[], env: Record<string, string>): Promise<ProgramResult> {
  return runToEnd(process.execPath, ["run", "-A", ...program], env);
}

/** Runs a command in the repository to its end, for at most two minutes. */
export function runToEnd(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<ProgramResult> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", SERVER_PORT: "0", ...env },
    timeout: 120_000,
  });
  const said: string[] = [];
  const errors: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => said.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.push(text);
    errors.push(text);
  });
  return new Promise((ended) =>
    child.once(
      "close",
      (code) => ended({ code, text: said.join(""), errors: errors.join("") }),
    )
  );
}
