import { createTarGzip } from "nanotar";
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { messageOf } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { engineGlances } from "#platform/ops/engines.ts";
import { groups, lagOf } from "#platform/ops/lag.ts";
import { knownProcesses } from "#platform/ops/workers.ts";
import { isSecretKey, masked } from "#platform/secrets.ts";
import { version } from "#platform/version.ts";

/** A file of the bundle, and how its text is found. */
interface Section {
  file: string;
  read: () => Promise<string>;
}

export interface SectionOptions {
  config: Config;
  /** Addresses of processes whose health and metrics are read. */
  urls: string[];
  /** Files of logs, or folders of them. */
  logs: string[];
  /** Lines of each log. */
  lines: number;
}

/** Milliseconds within which a section is found; what takes longer is left out, and named. */
const sectionMs = 20_000;
/** Most characters of an answer of a process. */
const maxAnswer = 20_000_000;

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What needs no engine. */
export function ownSections({ config, urls, logs, lines }: SectionOptions): Section[] {
  return [
    { file: "versions.json", read: () => Promise.resolve(json(versions())) },
    { file: "configuration.json", read: () => Promise.resolve(json(withoutSecrets(config))) },
    ...urls.flatMap((url, at) => [
      { file: `health/${at + 1}.json`, read: () => answer(url, "/health/ready") },
      { file: `metrics/${at + 1}.txt`, read: () => answer(url, "/metrics") },
    ]),
    ...logFiles(logs).map((file, at) => ({
      file: entryOf(file, at),
      read: () => Promise.resolve(lastLines(file, lines)),
    })),
  ];
}

export function engineSections(context: Context): Section[] {
  const { db, events } = context;
  return [
    { file: "engines.json", read: async () => json(await engineGlances(context)()) },
    { file: "processes.json", read: async () => json(await knownProcesses(db)) },
    { file: "lag.json", read: async () => json(await lagOf(events, groups)) },
    {
      file: "migrations.json",
      read: async () => {
        const migrations = await db.query(appliedMigrations);
        return json({ migrations, functions: await db.query(appliedFunctions) });
      },
    },
    { file: "tables.json", read: async () => json(await db.query(tableSizes)) },
  ];
}

function versions(): object {
  const { platform, arch, versions } = process;
  return { tributary: version, platform, arch, runtime: versions };
}

/** What a process answers, whatever its status, which comes first. */
async function answer(url: string, path: string): Promise<string> {
  const response = await fetch(new URL(path, url), {
    signal: AbortSignal.timeout(sectionMs / 2),
    redirect: "manual",
  });
  const text = (await response.text()).slice(0, maxAnswer);
  return response.ok ? text : `${response.status}\n${text}`;
}

/** Text of each section without secrets, by file; `missing` says of the others why. */
interface SectionsRead {
  files: Map<string, string>;
  missing: Record<string, string>;
}

/** Reads sections one after another. */
export async function readSections(sections: Section[]): Promise<SectionsRead> {
  const [files, missing] = [new Map<string, string>(), {} as Record<string, string>];
  for (const { file, read } of sections) {
    const late = () => new Error(`no answer within ${sectionMs / 1_000} s`);
    try {
      files.set(file, masked(await withTimeout(read(), sectionMs, late)));
    } catch (error) {
      // lookup-ok -- our own names
      missing[file] = masked(messageOf(error));
    }
  }
  return { files, missing };
}

const appliedMigrations = plannedEachTime("support-migrations")`
  SELECT version, name, breaking, applied_at::text AS applied_at FROM schema_migration ORDER BY version`;

const appliedFunctions = plannedEachTime("support-functions")`
  SELECT name, checksum, applied_at::text AS applied_at FROM schema_function ORDER BY name`;

/** Rows and bytes of each table, as the statistics of PostgreSQL estimate them: counting large tables would take minutes. */
const tableSizes = plannedEachTime("support-table-sizes")`
  SELECT relname AS table, n_live_tup::float8 AS rows, n_dead_tup::float8 AS dead_rows,
         pg_total_relation_size(relid)::float8 AS bytes,
         greatest(last_vacuum, last_autovacuum)::text AS vacuumed_at,
         greatest(last_analyze, last_autoanalyze)::text AS analyzed_at
    FROM pg_stat_user_tables
   ORDER BY pg_total_relation_size(relid) DESC, relname
   LIMIT 1000`;

/** The sections as one `.tar.gz`; `missing.json` in it says why others are not there. */
export async function bundleArchive(
  read: SectionsRead[],
): Promise<{ archive: Uint8Array; files: string[]; missing: string[] }> {
  const missing = Object.assign({}, ...read.map((one) => one.missing)) as Record<string, string>;
  const files = new Map(read.flatMap((one) => [...one.files]));
  files.set("missing.json", json(missing));
  const entries = [...files].map(([name, data]) => ({ name: `tributary-support/${name}`, data }));
  const archive = await createTarGzip(entries, { attrs: { mode: "600" } });
  return { archive, files: [...files.keys()], missing: Object.keys(missing) };
}

/** What stands where a secret was. */
const hiddenText = "***";

/** A configuration without its secrets: values of secret keys, users and passwords in addresses, and queries of these. */
export function withoutSecrets(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, `${key}.{n}`));
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(([name, one]) => [
      masked(name),
      withoutSecrets(one, key === "" ? name : `${key}.${name}`),
    ]);
    return Object.fromEntries(entries);
  }
  if (value === undefined || value === null || typeof value === "boolean") return value;
  if (isSecretKey(key)) return addressOnly(String(value));
  return typeof value === "string" ? masked(withoutCredentials(value)) : value;
}

/** Of a secret that is an address, the host, which shows what is connected. */
function addressOnly(text: string): string {
  const url = URL.parse(text);
  return url?.host ? `${url.protocol}//${url.host}/${hiddenText}` : hiddenText;
}

/** An address without user, password and query; any other text as it is. */
function withoutCredentials(text: string): string {
  if (!text.includes("://")) return text;
  const url = URL.parse(text);
  if (!url) return hiddenText;
  return `${url.protocol}//${url.host}${url.pathname}${url.search ? `?${hiddenText}` : ""}`;
}

/** Most bytes that are read of one log, from its end, and most logs. */
const maxLogBytes = 1_000_000;
const maxLogs = 20;

/** Log files: those that are named, and those in folders that are named. */
function logFiles(paths: string[]): string[] {
  const files = paths.filter((path) => existsSync(path)).flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path).filter((name) => name.endsWith(".log")).sort().map((name) =>
      join(path, name)
    );
  });
  return files.slice(0, maxLogs);
}

/** The last lines of a file; at most a megabyte of them. */
export function lastLines(file: string, count: number): string {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const length = Math.min(size, maxLogBytes);
    const bytes = new Uint8Array(length);
    readSync(descriptor, bytes, 0, length, size - length);
    const lines = new TextDecoder().decode(bytes).split("\n");
    // The first one is cut where not all of the file was read.
    const whole = length < size ? lines.slice(1) : lines;
    return whole.slice(-count - 1).join("\n");
  } finally {
    closeSync(descriptor);
  }
}

/** Name of a log in the bundle; the place in the list distinguishes two files of one name. */
function entryOf(file: string, at: number): string {
  return `logs/${at + 1}-${basename(file)}`;
}
