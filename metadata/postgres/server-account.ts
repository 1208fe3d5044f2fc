import { readFileSync } from "node:fs";

/** An account of this machine. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * The account that a server which refuses to run as root is given: `postgres`, else `nobody`. Null
 * when this process is not root and simply keeps its own.
 */
export function accountFor(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n").map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const found = lines.find((fields) => fields[0] === name);
    if (found) return { name, uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error(
    "PostgreSQL does not run as root and this machine has no account postgres or nobody: " +
      "run as an ordinary user, or set metadata.postgres.url",
  );
}

/** What a process is started with to run under that account. */
export function ownership(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}
