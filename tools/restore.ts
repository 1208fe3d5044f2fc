import { parseArgs } from "node:util";
import { directoryReader } from "#platform/backup/directory.ts";
import { overEngines, runCommand } from "./command.ts";
import { restoreBackup } from "./restore/restore.ts";

const usage = `Usage: npm run restore -- <directory> [--overwrite]

Restores a backup into the engines that the configuration names, which must be empty and serve no
running Tributary. Every checksum is verified before anything is changed.

  --overwrite   replaces what the target holds

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

/** Parses the arguments; null when they are invalid. */
export function parseRestore(args: string[]): { directory: string; overwrite: boolean } | null {
  try {
    const { values, positionals: [directory, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: { overwrite: { type: "boolean", default: false } },
    });
    if (directory === undefined || directory === "" || more.length > 0) return null;
    return { directory, overwrite: values.overwrite };
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
  return await overEngines(async (context, output) => {
    const reader = directoryReader(parsed.directory);
    const progress = (step: string) => output.write(`${step}\n`);
    const manifest = await restoreBackup(context, reader, { ...parsed, progress });
    output.write(
      `Restored the backup of ${manifest.createdAt} (release ${manifest.product}). Start Tributary now.\n`,
    );
    return 0;
  }, { migrates: false });
}

if (import.meta.main) await runCommand(main);
