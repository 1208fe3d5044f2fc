import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ObjectStorage, requireKey } from "#storage/port.ts";

/**
 * Objects as files of a directory, which is made when the first is written. Processes that share the objects share
 * the directory.
 */
export class LocalStorage implements ObjectStorage {
  readonly engine = "local";

  constructor(private readonly directory: string) {}

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    const folder = dirname(path);
    const isNew = await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(unfinished(path), bytes);
    await rename(unfinished(path), path);
    await flushDirectory(folder);
    if (isNew) await flushDirectory(this.directory);
  }

  async get(key: string): Promise<Uint8Array | null> {
    try {
      return await readFile(this.#pathOf(key));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await rm(unfinished(path), { force: true });
    await rm(path, { force: true });
  }

  /** Folders are named by the end of the key, which is random in every version of UUIDs. */
  #pathOf(key: string): string {
    return join(this.directory, requireKey(key).slice(-2), key);
  }
}

const unfinished = (path: string) => `${path}.part`;

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name in a directory survives a crash only once the directory itself was written. */
export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as { code?: string }).code === "ENOENT";
}
