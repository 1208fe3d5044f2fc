import process from "node:process";
import { parseArgs } from "node:util";
import { schemaFiles } from "#metadata/schema/migrate.ts";
import { openReader } from "#platform/backup/location.ts";
import { verifyBackup } from "#platform/backup/manifest.ts";
import { loadConfig } from "#platform/config/load.ts";
import { overEngines, runCommand } from "./command.ts";
import { restoreBackup } from "./restore/restore.ts";

const usage = `Usage: npm run restore -- <directory> [--overwrite]
       npm run restore -- s3://<bucket>/<prefix> [--overwrite]

Restores a backup into the engines that the configuration names, which must be empty and serve no
running Tributary. Every checksum is verified before anything is changed.

  --overwrite   replaces what the target holds

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

/** Parses the arguments; null when they are invalid. */
export function parseRestore(args: string[]): { place: string; overwrite: boolean } | null {
  try {
    const { values, positionals: [place, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: { overwrite: { type: "boolean", default: false } },
    });
    if (place === undefined || place === "" || more.length > 0) return null;
    return { place, overwrite: values.overwrite };
  } catch {
    return null;
  }
}

async function main(args: string[]): Promise<number> {
  const parsed = parseRestore(args);
  if (!parsed) {
    console.error(usage);
    return 2;
  }
  // Before any engine is started or contacted.
  const reader = openReader(parsed.place, loadConfig({ env: process.env }));
  console.log("verifying checksums");
  const verified = await verifyBackup(reader, schemaFiles().numbered);
  return await overEngines(async (context, output) => {
    const progress = (step: string) => output.write(`${step}\n`);
    await restoreBackup(context, reader, { ...parsed, verified, progress });
    output.write(
      `Restored the backup of ${verified.createdAt} (release ${verified.product}). Start Tributary now.\n`,
    );
    return 0;
  }, { migrates: false });
}

if (import.meta.main) await runCommand(main);
