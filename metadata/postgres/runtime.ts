import { lastText } from "#kit/bytes.ts";

/** A server process that we started. Only this file uses the runtime's own API. */
export interface ServerProcess {
  pid: number;
  /** Closes its standard input, which makes it stop. */
  release(): Promise<void>;
  /** Resolves with the exit code and the last 4,000 characters of its standard error. */
  exited: Promise<{ code: number; said: string }>;
}

export interface SpawnOptions {
  cwd: string;
  uid?: number;
  gid?: number;
}

/**
 * Starts a program with almost no environment. Uses `Deno.Command` because `node:child_process` of
 * Deno 2.7 ignores the account (uid and gid).
 */
export function startProcess(
  command: string,
  args: string[],
  options: SpawnOptions,
): ServerProcess {
  const child = new Deno.Command(command, {
    args,
    ...options,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C" },
  }).spawn();
  const said = lastText(child.stderr, 4_000);
  const input = child.stdin;
  return {
    pid: child.pid,
    release: () => input.close().catch(() => {}),
    exited: child.status.then(async ({ code }) => ({ code, said: (await said).trim() })),
  };
}
