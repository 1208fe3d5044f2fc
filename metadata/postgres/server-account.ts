import { readFileSync } from "node:fs";

/** A user account of this machine. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * The account for the server, which refuses to run as root: `postgres`, else `nobody`. Null when
 * this process is not root and the server can use the same account.
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

/** Options that start a process under that account. */
export function ownership(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}
