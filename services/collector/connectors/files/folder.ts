import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FilesSettings } from "#contract/connections/files.ts";
import { type Session, SourceError } from "../../connector.ts";
import { realPathWithin } from "../../folders.ts";
import type { FileStore, ListedFile } from "#platform/files/store.ts";

/** Deepest folder below a given one. */
export const maxDepth = 32;

/** Names of files that are no data: of Spark, Hadoop and editors. */
export const isHidden = (name: string) => /^[._]/.test(name);

/** Folders of this machine, as far as an operator allows them. Links are not followed. */
export function folderStore({ folders, signal }: Session<FilesSettings>): FileStore {
  const allowed = async (path: string) => {
    signal.throwIfAborted();
    const real = await realPathWithin(path, folders, path);
    if (real !== null) return real;
    throw new SourceError(path, "there is no such folder or file", "Check the path");
  };
  return {
    async *list(path) {
      const root = path.length > 1 ? path.replace(/\/$/, "") : path;
      yield* walk(await allowed(root), root, signal, 0);
    },
    async read(path, from, to) {
      const file = await open(await allowed(path), "r").catch((error) => unreadable(path, error));
      try {
        const bytes = new Uint8Array(Math.max(0, to - from));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** `shown`: the path as it was given, which the names of files come from. */
async function* walk(
  real: string,
  shown: string,
  signal: AbortSignal,
  depth: number,
): AsyncGenerator<ListedFile> {
  signal.throwIfAborted();
  const entries: Dirent[] = await readdir(real, { withFileTypes: true })
    .catch((error) => unreadable(shown, error));
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (isHidden(entry.name)) continue;
    const [path, at] = [join(shown, entry.name), join(real, entry.name)];
    if (entry.isDirectory() && depth < maxDepth) yield* walk(at, path, signal, depth + 1);
    if (!entry.isFile()) continue;
    const found = await stat(at).catch(() => null);
    if (found) yield { path, size: found.size, modified: Math.trunc(found.mtimeMs) };
  }
}

function unreadable(path: string, cause: unknown): never {
  const remedy = "Give the account of the service collector the right to read it";
  throw new SourceError(path, "it cannot be read", remedy, cause);
}
