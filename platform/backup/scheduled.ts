import { join } from "node:path";
import { type BackupDeps, type BackupResult, createBackup } from "#platform/backup/create.ts";
import { directoryWriter, listBackups, removeBackup } from "#platform/backup/directory.ts";

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
  const writer = await directoryWriter(
    join(directory, prefixOf(series) + time.replaceAll(/[-:]/g, "")),
  );
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
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(rest);
  if (!name.startsWith(prefix) || !match) return null;
  const [, year, month, day, hours, minutes, seconds] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time) ? null : time;
}
