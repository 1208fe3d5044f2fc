import process from "node:process";
import { parseArgs } from "node:util";
import {
  type ConnectorName,
  connectorNames,
  secretNames,
  settingsSchema,
} from "#contract/connections/connectors.ts";
import { addressOf, parseSettings, sourceCatrn } from "#platform/connections/kinds.ts";
import { allowedAddress } from "#platform/connections/hosts.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { namingSettings } from "#platform/naming/openlineage/names.ts";
import { publishItems } from "#platform/composed-source/batches.ts";
import { connectors } from "#services/collector/connectors/all.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Item, Session } from "#services/collector/connector.ts";
import { CountingSink, RunReport } from "#services/collector/run/sink.ts";
import { type Output, overEngines, runCommand } from "./command.ts";

const usage =
  `Usage: npm run collect -- <connector> [--url <url>] [--set <setting>=<value>]… [--include <patterns>] [--exclude <patterns>] [--dry-run]

Reads a source once, without a connection, and publishes what it finds; nothing is removed.
Connectors: ${
    connectorNames.join(", ")
  }. The password of a database may stand in PGPASSWORD instead of the URL; any secret
in SOURCE_SECRET_<SETTING>, such as SOURCE_SECRET_TOKEN.

  --url                 a database: postgres://user@host:port/database
  --set                 a setting of the connector, such as location=/srv/dbt/target; lists are separated by commas
  --include, --exclude  patterns of names, separated by commas
  --dry-run             publishes nothing, and tells what it has read

Exit codes: 0 done, 1 could not be done, 2 wrong use, 3 some objects could not be read.`;

export interface CollectCommand {
  connector: ConnectorName;
  settings: Record<string, unknown>;
  isDryRun: boolean;
}

const listed = (text = "") => text.split(",").map((one) => one.trim()).filter((one) => one !== "");

/** Secrets from the environment, by the name of their setting. */
export type GivenSecrets = (name: string) => string | undefined;

/** Parses the arguments; null when they are wrong. */
export function parseCollect(
  args: string[],
  secretOf: GivenSecrets = () => undefined,
): CollectCommand | null {
  try {
    const { values, positionals: [name, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: "string" },
        set: { type: "string", multiple: true, default: [] },
        include: { type: "string" },
        exclude: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
    const connector = connectorNames.find((one) => one === name);
    const url = values.url === undefined ? null : URL.parse(values.url);
    if (!connector || values.url !== undefined && !url || more.length > 0) return null;
    const secrets = secretNames(connector).map((name) => [name, secretOf(name)])
      .filter(([, value]) => value !== undefined && value !== "");
    const settings = {
      ...Object.fromEntries(secrets),
      ...(url ? settingsOf(url) : {}),
      ...setSettings(connector, values.set),
      include: listed(values.include),
      exclude: listed(values.exclude),
    };
    parseSettings(connector, settings);
    return { connector, settings, isDryRun: values["dry-run"] };
  } catch {
    return null;
  }
}

function settingsOf(url: URL): Record<string, unknown> {
  const tls = url.searchParams.get("sslmode");
  const database = decodeURIComponent(url.pathname.slice(1));
  const password = decodeURIComponent(url.password);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    ...(database === "" ? {} : { database }),
    user: decodeURIComponent(url.username),
    ...(password === "" ? {} : { password }),
    ...(tls === null ? {} : { tls }),
  };
}

/** Settings of `name=value`, each as its schema wants it. */
function setSettings(connector: ConnectorName, given: string[]): Record<string, unknown> {
  const { properties } = settingsSchema(connector);
  const types = new Map(Object.entries(properties as Record<string, { type?: string }>));
  return Object.fromEntries(given.map((one) => {
    const at = one.indexOf("=");
    const [name, value] = [one.slice(0, Math.max(0, at)), one.slice(at + 1)];
    const type = types.get(name)?.type;
    return [name, type === "array" ? listed(value) : type === "integer" ? Number(value) : value];
  }));
}

function sessionOf(
  { connector, settings }: CollectCommand,
  config: Config,
): Session {
  const parsed = parseSettings(connector, settings);
  const secrets = secretNames(connector).map((name): [string, string] => [
    name,
    // lookup-ok -- names of the schema
    String(settings[name] ?? ""),
  ]);
  return {
    settings: parsed,
    secrets: new Map(secrets),
    // Whoever runs a command on this machine may reach from it, and read on it, what they like.
    address: (host) => allowedAddress(host, { allowed: ["*"], local: true }),
    folders: ["/"],
    source: sourceCatrn(connector, parsed),
    statementTimeoutMs: config.connections["statement-timeout"],
    naming: namingSettings(config.openlineage),
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
  const session = sessionOf(command, context?.config ?? Config.parse({}));
  const { isSecondary, read } = connectors[command.connector];
  const report = new RunReport();
  const counting = new CountingSink(report);
  let waiting: Item[] = [];
  const flush = async () => {
    if (context && waiting.length > 0) {
      const items = waiting.map((item) => JSON.stringify(item));
      await publishItems(context, session.source, items, isSecondary);
    }
    waiting = [];
    if (output.isTTY) output.write(`\r${report.counts.read} assets`);
  };
  if (context) await register(context, session.source);
  for await (const finding of read(session)) {
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
  const address = addressOf(connector, session.settings);
  const what = isDryRun ? "would be published" : "published";
  const lines = [
    `${connector} at ${address}: ${report.counts.read} assets ${what}, ${report.counts.skipped} skipped`,
    ...report.preview.map((name) => `  ${name}`),
    ...report.problems.map(({ object, reason, remedy }) =>
      `  skipped ${object}: ${reason}${remedy ? `. ${remedy}` : ""}`
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function secretFromEnvironment(name: string): string | undefined {
  const variable = `SOURCE_SECRET_${name.toUpperCase().replaceAll("-", "_")}`;
  // lookup-ok -- a variable of this prefix only
  return process.env[variable] ?? (name === "password" ? process.env.PGPASSWORD : undefined);
}

async function main(args: string[]): Promise<number> {
  const command = parseCollect(args, secretFromEnvironment);
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
