import { overEngines, runCommand } from "./command.ts";
import { failed } from "./notifications/failed.ts";
import { resend } from "./notifications/resend.ts";
import { slot } from "./notifications/slot.ts";
import type { Subcommand } from "./notifications/subcommand.ts";

const subcommands: Record<string, Subcommand> = { failed, resend, slot };

const usage = `Usage: npm run notifications -- <command>

${Object.values(subcommands).flatMap((each) => each.usage).map((line) => `  ${line}`).join("\n")}

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

async function main([word = "", ...rest]: string[]): Promise<number> {
  const work = Object.hasOwn(subcommands, word) ? subcommands[word]?.parse(rest) : null;
  if (!work) {
    console.error(usage);
    return 2;
  }
  return await overEngines(work);
}

if (import.meta.main) await runCommand(main);
