// `npm run migrate` applies the schema to the PostgreSQL that the configuration names, and starts nothing. Every start does the
// same; an orchestrator runs this first, so that a schema that cannot be applied stops an upgrade before a service is replaced.
import process from "node:process";
import { applySchema } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { runCommand } from "./command.ts";

const usage = `Usage: npm run migrate

Applies the schema of this release to the PostgreSQL of metadata.postgres.url.

Exit codes: 0 done, 1 could not be done, 2 wrong use.`;

async function main(args: string[]): Promise<number> {
  if (args.length > 0) {
    console.error(usage);
    return 2;
  }
  const format = process.env.LOG_FORMAT === "json" ? "json" : "text";
  const log = createLogger({ level: "info", format, write: (line) => console.log(line) });
  await applySchema(loadConfig({ env: process.env }), log);
  log.info("schema is current");
  return 0;
}

if (import.meta.main) await runCommand(main);
