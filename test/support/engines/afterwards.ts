import { spawn } from "node:child_process";

/**
 * Runs a shell script once this process has ended, however it ends, or when the returned function is called. For what
 * the kernel keeps: it has to be correct also when its work was done before.
 */
export function afterwards(script: string): () => void {
  // The shell reads until our end of the pipe closes.
  const child = spawn("/bin/sh", ["-c", `cat >/dev/null; ${script}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  return () => void child.stdin.end();
}
