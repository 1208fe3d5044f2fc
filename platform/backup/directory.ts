import { flushDirectory } from "#storage/local.ts";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type BackupDeps, type BackupResult, createBackup } from "#platform/backup/create.ts";
import {
  BackupError,
  type BackupFile,
  type BackupReader,
  type BackupWriter,
  manifestName,
} from "#platform/backup/manifest.ts";

/** End of the name under which a backup is written. */
const unfinished = ".partial";

/** A new backup in a directory, which must not exist yet. Throws `BackupError` when it does. */
export async function directoryWriter(path: string): Promise<BackupWriter> {
  const location = resolve(path);
  if (existsSync(location)) {
    throw new BackupError(`${location} exists: name a directory that does not exist yet`);
  }
  const draft = `${location}${unfinished}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  return {
    location,
    async write(name, chunks) {
      const file = join(draft, name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      return { name, ...await writeDurably(file, chunks) };
    },
    async commit(manifest) {
      await writeDurably(join(draft, manifestName), [new TextEncoder().encode(manifest)]);
      await flushDirectory(draft);
      await rename(draft, location);
      await flushDirectory(dirname(location));
    },
    abort: () => rm(draft, { recursive: true, force: true }),
  };
}

export function directoryReader(path: string): BackupReader {
  const location = resolve(path);
  return {
    location,
    async manifest() {
      try {
        return await readFile(join(location, manifestName), "utf8");
      } catch (error) {
        if ((error as { code?: string }).code !== "ENOENT") throw error;
        throw new BackupError(`${location} holds no backup: ${manifestName} is missing`);
      }
    },
    read: (name) => createReadStream(join(location, name)),
  };
}

/** Names of the whole backups in a directory, oldest first, and of those that were interrupted. */
export async function listBackups(
  directory: string,
  prefix: string,
): Promise<{ whole: string[]; interrupted: string[] }> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  const own = names.filter((name) => name.startsWith(prefix)).sort();
  return {
    whole: own.filter((name) => existsSync(join(directory, name, manifestName)))
      .filter((name) => !name.endsWith(unfinished)),
    interrupted: own.filter((name) => name.endsWith(unfinished)),
  };
}

/** Removes a backup; under another name first, so that an interruption leaves no damaged one. */
async function removeBackup(path: string): Promise<void> {
  const draft = join(dirname(path), `${basename(path)}${unfinished}`);
  if (!path.endsWith(unfinished)) await rename(path, draft);
  await rm(path.endsWith(unfinished) ? path : draft, { recursive: true, force: true });
}

async function writeDurably(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Omit<BackupFile, "name">> {
  const hash = createHash("sha256");
  let size = 0;
  const file = await open(path, "w", 0o600);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.byteLength;
      for (let at = 0; at < chunk.byteLength;) {
        at += (await file.write(chunk, at)).bytesWritten;
      }
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest("hex") };
}

/** The scheduled backups of one instance in a directory. */
export interface BackupSeries {
  directory: string;
  instance: string;
  /** How many are stored. */
  retain: number;
}

/** When the newest whole backup was made, milliseconds since the epoch; null when there is none. */
export async function newestBackup(series: BackupSeries): Promise<number | null> {
  const { whole } = await listBackups(series.directory, prefixOf(series));
  const times = whole.flatMap((name) => timeOf(name, series) ?? []);
  return times.length > 0 ? Math.max(...times) : null;
}

/** Writes the next backup of a series, then deletes those beyond `retain` and what interruptions left. */
export async function writeScheduled(
  deps: BackupDeps,
  series: BackupSeries,
): Promise<BackupResult & { location: string }> {
  const { directory, retain } = series;
  const { interrupted } = await listBackups(directory, prefixOf(series));
  for (const name of interrupted) await removeBackup(join(directory, name));
  const time = new Date(deps.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const name = prefixOf(series) + time.replaceAll(/[-:]/g, "");
  const writer = await directoryWriter(join(directory, name));
  const result = await createBackup(deps, writer);
  const { whole } = await listBackups(directory, prefixOf(series));
  const own = whole.filter((name) => timeOf(name, series) !== null);
  for (const name of own.slice(0, -retain)) await removeBackup(join(directory, name));
  return { ...result, location: writer.location };
}

const prefixOf = ({ instance }: BackupSeries) => `${instance}-`;

/** The time in the name of a scheduled backup; null for other names, which are nobody's to delete. */
function timeOf(name: string, series: BackupSeries): number | null {
  const [prefix, rest] = [prefixOf(series), name.slice(prefixOf(series).length)];
  const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  if (!name.startsWith(prefix) || !form.test(rest)) return null;
  const time = Date.parse(rest.replace(form, "$1-$2-$3T$4:$5:$6Z"));
  return Number.isNaN(time) ? null : time;
}
