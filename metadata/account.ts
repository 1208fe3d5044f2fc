import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

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

/** Whether `account` may pass every directory above `path` and read `path` itself. */
export function canTraverse(path: string, account: Account): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (!allows(at, account, 1)) return false;
  }
  return allows(path, account, 4);
}

function allows(path: string, account: Account, bit: 1 | 4): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return (mode >> shift & bit) !== 0;
}
