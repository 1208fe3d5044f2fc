import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { ConnectorSettings } from "#contract/connections/connectors.ts";
import { allowedAddress, hostRules } from "#platform/connections/hosts.ts";
import { parseSettings, purposeOf } from "#platform/connections/kinds.ts";
import { namingSettings } from "#platform/naming/openlineage/names.ts";
import { secretBoxOf, type StoredSecret } from "#platform/connections/secrets.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../connector.ts";
import type { CollectorDeps } from "../deps.ts";
import type { ClaimedRun } from "../runs.queries.ts";

type StoredConnection = Pick<ClaimedRun, "connector" | "settings" | "secrets" | "source_catrn">;

/** What a connector is given for a run; its secrets live no longer than that. Throws a `SourceError`. */
export async function sessionOf(
  { config }: Pick<CollectorDeps, "config">,
  given: StoredConnection,
  signal: AbortSignal,
): Promise<Session> {
  const settings = parseSettings(given.connector, given.settings);
  const rules = hostRules(config);
  return {
    settings,
    secrets: await secretsOf(config, given, settings),
    address: (host) => allowedAddress(host, rules),
    source: given.source_catrn,
    statementTimeoutMs: config.connections["statement-timeout"],
    naming: namingSettings(config.openlineage),
    folders: config.connections["artifact-dirs"],
    signal,
  };
}

async function secretsOf(
  config: CollectorDeps["config"],
  { connector, secrets }: StoredConnection,
  settings: ConnectorSettings,
): Promise<Map<string, string>> {
  const opened = new Map<string, string>();
  for (const [name, stored] of Object.entries(secrets)) {
    const purpose = purposeOf(connector, settings, name);
    opened.set(name, await valueOf(config, stored, name, purpose));
  }
  return opened;
}

async function valueOf(
  { connections }: CollectorDeps["config"],
  stored: StoredSecret,
  name: string,
  purpose: string,
): Promise<string> {
  if ("sealed" in stored) {
    const box = secretBoxOf(connections["secret-key"]);
    const remedy =
      "Set connections.secret-key to the key that it was stored with, or enter it again";
    if (!box) throw new SourceError(name, "there is no key to decrypt it", remedy);
    try {
      return box.open(stored.sealed, purpose);
    } catch {
      throw new SourceError(name, "it cannot be decrypted", remedy);
    }
  }
  if ("env" in stored) return variable(stored.env, name);
  return await fromFile(connections["secret-dir"], stored.file, name);
}

function variable(variable: string, name: string): string {
  // lookup-ok -- the name was checked to begin with SOURCE_SECRET_
  const value = process.env[variable];
  if (value !== undefined) return value;
  const remedy = `Set it for the service collector`;
  throw new SourceError(name, `the variable ${variable} is not set`, remedy);
}

async function fromFile(
  directory: string | undefined,
  file: string,
  name: string,
): Promise<string> {
  const remedy = "Set connections.secret-dir, and put the file there";
  if (directory === undefined) {
    throw new SourceError(name, "there is no directory of secrets", remedy);
  }
  try {
    return (await readFile(join(directory, file), "utf8")).replace(/\r?\n$/, "");
  } catch {
    throw new SourceError(name, `the file ${file} cannot be read`, remedy);
  }
}
