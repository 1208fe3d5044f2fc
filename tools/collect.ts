import process from "node:process";
import { parseArgs } from "node:util";
import {
  type ConnectorName,
  connectorNames,
  secretNames,
} from "#contract/connections/connectors.ts";
import { addressOf, parseSettings, sourceCatrn } from "#platform/connections/kinds.ts";
import { allowedAddress } from "#platform/connections/hosts.ts";
import type { Context } from "#platform/context.ts";
import { connectors } from "#services/collector/connectors/all.ts";
import { type Item, type Session, SourceError } from "#services/collector/connector.ts";
import { publishItems } from "#services/collector/run/batch.ts";
import { CountingSink, RunReport } from "#services/collector/run/sink.ts";
import { type Output, overEngines, runCommand } from "./command.ts";

const usage =
  `Usage: npm run collect -- <connector> --url <url> [--include <patterns>] [--exclude <patterns>] [--dry-run]

Reads a source once, without a connection, and publishes what it finds; nothing is removed.
Connectors: ${connectorNames.join(", ")}. The password may stand in PGPASSWORD instead of the URL.

  --include, --exclude  patterns of schema.table, separated by commas
  --dry-run             publishes nothing, and tells what it has read

Exit codes: 0 done, 1 could not be done, 2 wrong use, 3 some objects could not be read.`;

export interface CollectCommand {
  connector: ConnectorName;
  settings: Record<string, unknown>;
  isDryRun: boolean;
}

const listed = (text = "") => text.split(",").map((one) => one.trim()).filter((one) => one !== "");

/** Parses the arguments; null when they are wrong. */
export function parseCollect(args: string[], password = ""): CollectCommand | null {
  try {
    const { values, positionals: [name, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: "string" },
        include: { type: "string" },
        exclude: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
    const connector = connectorNames.find((one) => one === name);
    const url = URL.parse(values.url ?? "");
    if (!connector || !url || more.length > 0) return null;
    const settings = {
      ...settingsOf(url, password),
      include: listed(values.include),
      exclude: listed(values.exclude),
    };
    parseSettings(connector, settings);
    return { connector, settings, isDryRun: values["dry-run"] };
  } catch {
    return null;
  }
}

function settingsOf(url: URL, password: string): Record<string, unknown> {
  const tls = url.searchParams.get("sslmode");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password) || password,
    ...(tls === null ? {} : { tls }),
  };
}

function sessionOf({ connector, settings }: CollectCommand, statementTimeoutMs: number): Session {
  const parsed = parseSettings(connector, settings);
  const secrets = secretNames(connector).map((name): [string, string] => [
    name,
    // lookup-ok -- names of the schema
    String(settings[name] ?? ""),
  ]);
  return {
    settings: parsed,
    secrets: new Map(secrets),
    // Whoever runs a command on this machine may reach from it what they like.
    address: (host) => allowedAddress(host, { allowed: ["*"], local: true }),
    source: sourceCatrn(connector, parsed),
    statementTimeoutMs,
    signal: new AbortController().signal,
  };
}

/** Most items of a batch. */
const maxItems = 500;

/** Reads and, but for a dry run, publishes; resolves with the exit code. */
export async function collect(
  context: Pick<Context, "db" | "events" | "clock" | "config"> | null,
  command: CollectCommand,
  output: Output,
): Promise<number> {
  const session = sessionOf(command, context?.config.connections["statement-timeout"] ?? 30_000);
  const report = new RunReport();
  const counting = new CountingSink(report);
  let waiting: Item[] = [];
  const flush = async () => {
    if (context && waiting.length > 0) {
      await publishItems(context, session.source, waiting.map((item) => JSON.stringify(item)));
    }
    waiting = [];
    if (output.isTTY) output.write(`\r${report.counts.read} assets`);
  };
  if (context) await register(context, session.source);
  for await (const finding of connectors[command.connector].read(session)) {
    await counting.add(finding);
    if (finding.kind === "item") waiting.push(finding.item);
    if (waiting.length >= maxItems) await flush();
  }
  await flush();
  output.write(summary(command, session, report));
  return report.counts.skipped > 0 ? 3 : 0;
}

async function register({ db }: Pick<Context, "db">, catrn: string): Promise<void> {
  await db.query(
    `INSERT INTO data_source (catrn, name, description) VALUES ($1, $1, 'Read by npm run collect')
     ON CONFLICT DO NOTHING`,
    [catrn],
  );
}

function summary({ connector, isDryRun }: CollectCommand, session: Session, report: RunReport) {
  const { host, port } = addressOf(session.settings);
  const what = isDryRun ? "would be published" : "published";
  const lines = [
    `${connector} at ${host}:${port}: ${report.counts.read} assets ${what}, ${report.counts.skipped} skipped`,
    ...report.preview.map((name) => `  ${name}`),
    ...report.problems.map(({ object, reason, remedy }) =>
      `  skipped ${object}: ${reason}${remedy ? `. ${remedy}` : ""}`
    ),
  ];
  return `${lines.join("\n")}\n`;
}

async function main(args: string[]): Promise<number> {
  const command = parseCollect(args, process.env.PGPASSWORD);
  if (!command) {
    console.error(usage);
    return 2;
  }
  const output: Output = {
    isTTY: process.stdout.isTTY === true,
    write: (text) => void process.stdout.write(text),
  };
  try {
    return command.isDryRun
      ? await collect(null, command, output)
      : await overEngines((context, output) => collect(context, command, output));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { object, reason, remedy } = error;
    console.error(`${object}: ${reason}${remedy ? `. ${remedy}` : ""}`);
    return 1;
  }
}

if (import.meta.main) await runCommand(main);
