import { parseArgs } from "node:util";
import { createBackup } from "#platform/backup/create.ts";
import { directoryWriter } from "#platform/backup/directory.ts";
import { overEngines, runCommand } from "./command.ts";

const usage = `Usage: npm run backup -- <directory>

Writes a backup of this instance, also while it runs, into a directory that does not exist yet:
metadata, lookup tables, attachments, what the event log holds unapplied, and the configuration
without its secrets. docs/operate/backup.md tells how to restore it.

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

/** Parses the arguments; null when they are invalid. */
export function parseBackup(args: string[]): { directory: string } | null {
  try {
    const { positionals: [directory, ...more] } = parseArgs({ args, allowPositionals: true });
    return directory === undefined || directory === "" || more.length > 0 ? null : { directory };
  } catch {
    return null;
  }
}

async function main(args: string[]): Promise<number> {
  const parsed = parseBackup(args);
  if (!parsed) {
    console.error(usage);
    return 2;
  }
  return await overEngines(async (context, output) => {
    const writer = await directoryWriter(parsed.directory);
    const { manifest, bytes } = await createBackup(context, writer);
    output.write(
      `Backup written to ${writer.location}\n` +
        `${manifest.files.length} files, ${bytes} bytes, schema version ${manifest.schema.version}\n`,
    );
    return 0;
  }, { migrates: false });
}

if (import.meta.main) await runCommand(main);
