import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { schemaFolder } from "#metadata/schema/migrate.ts";

/** Text of a file of the schema, or what it becomes. */
export type SchemaText = string | ((now: string) => string);

/**
 * The schema of another release, in a folder that goes when the test ends: `files` by name, such as
 * `0001_tables.sql` or `functions/room.sql`.
 */
export function release(files: Record<string, SchemaText>): URL {
  const folder = mkdtempSync(join(tmpdir(), "tributary-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return lay(folder, files);
}

/** A release after this one: its schema, with `files` added or changed. */
export function releaseAfter(files: Record<string, SchemaText>): URL {
  const folder = release({});
  cpSync(fileURLToPath(schemaFolder), fileURLToPath(folder), { recursive: true });
  return lay(fileURLToPath(folder), files);
}

function lay(folder: string, files: Record<string, SchemaText>): URL {
  mkdirSync(join(folder, "functions"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    if (typeof text === "string") {
      writeFileSync(path, text);
      continue;
    }
    const now = readFileSync(path, "utf8");
    const changed = text(now);
    if (changed === now) throw new Error(`${name} was not changed`);
    writeFileSync(path, changed);
  }
  return pathToFileURL(`${folder}/`);
}
