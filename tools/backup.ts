import { parseArgs } from "node:util";
import { createBackup } from "#platform/backup/create.ts";
import { openWriter } from "#platform/backup/location.ts";
import { overEngines, runCommand } from "./command.ts";

const usage = `Usage: npm run backup -- <directory>
       npm run backup -- s3://<bucket>/<prefix>

Writes a backup of this instance, also while it runs, into a directory that does not exist yet, or
below a prefix of a bucket on the server of the attachments: metadata, lookup tables, attachments, what the event log holds unapplied, and the configuration
without its secrets. docs/operate/backup.md tells how to restore it.

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

/** Parses the arguments; null when they are invalid. */
export function parseBackup(args: string[]): { place: string } | null {
  try {
    const { positionals: [place, ...more] } = parseArgs({ args, allowPositionals: true });
    return place === undefined || place === "" || more.length > 0 ? null : { place };
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
    const writer = await openWriter(parsed.place, context.config);
    const { manifest, bytes } = await createBackup(context, writer);
    output.write(
      `Backup written to ${writer.location}\n` +
        `${manifest.files.length} files, ${bytes} bytes, schema version ${manifest.schema.version}\n`,
    );
    return 0;
  }, { migrates: false });
}

if (import.meta.main) await runCommand(main);
