import { ZodError } from "zod";
import {
  type ConnectorName,
  type ConnectorSettings,
  secretNames,
} from "#contract/connections/connectors.ts";
import { badRequest } from "#kit/errors.ts";
import { parseSettings, purposeOf } from "#platform/connections/kinds.ts";
import { referenceIn, secretBoxOf, type StoredSecret } from "#platform/connections/secrets.ts";
import type { Config } from "#platform/config/schema.ts";

interface SplitSettings {
  /** Valid, and without secrets. */
  settings: ConnectorSettings;
  /** Secrets that were given, as they are stored; null takes one away. */
  secrets: Map<string, StoredSecret | null>;
}

/** Validates settings and takes the secrets out of them. Throws 400 that names each wrong setting. */
export function splitSettings(
  config: Config,
  connector: ConnectorName,
  given: Record<string, unknown>,
): SplitSettings {
  const names = secretNames(connector);
  const entries = new Map(Object.entries(given));
  const nulled = names.filter((name) => entries.get(name) === null);
  const present = [...entries].filter(([name]) => !nulled.includes(name));
  const parsed = valid(connector, Object.fromEntries(present)) as Record<string, unknown>;
  const plain = Object.entries(parsed).filter(([name]) => !names.includes(name));
  const settings = Object.fromEntries(plain) as ConnectorSettings;
  const secrets = new Map<string, StoredSecret | null>(nulled.map((name) => [name, null]));
  for (const name of names) {
    // lookup-ok -- names of the schema, of what it has parsed
    const value = parsed[name];
    if (typeof value !== "string" || value === "") continue;
    secrets.set(name, stored(config, name, value, purposeOf(connector, settings, name)));
  }
  return { settings, secrets };
}

function valid(connector: ConnectorName, given: Record<string, unknown>): ConnectorSettings {
  try {
    return parseSettings(connector, given);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const details = error.issues.slice(0, 20).map(({ path, message }) => ({
      field: ["settings", ...path].join("."),
      message,
    }));
    throw badRequest("The settings are not valid", details);
  }
}

function stored(config: Config, name: string, value: string, purpose: string): StoredSecret {
  const field = `settings.${name}`;
  try {
    const reference = referenceIn(value);
    if (reference) return reference;
  } catch (error) {
    throw badRequest("The reference is not allowed", [
      { field, message: error instanceof Error ? error.message : "is not allowed" },
    ]);
  }
  const box = secretBoxOf(config.connections["secret-key"]);
  if (box) return { sealed: box.seal(value, purpose) };
  const message =
    "cannot be stored without connections.secret-key: name ${env:SOURCE_SECRET_…} or " +
    "${file:…}, or let an operator set the key";
  throw badRequest("Secrets cannot be stored", [{ field, message }]);
}

/**
 * The secrets of a changed connection: those given, and those left out as they were. Throws 400 where a stored one would
 * go to another host: a user who may change a connection must not read its secrets by that.
 */
export function mergedSecrets(
  connector: ConnectorName,
  before: { settings: ConnectorSettings; secrets: Record<string, StoredSecret> },
  { settings, secrets }: SplitSettings,
): Record<string, StoredSecret> {
  const merged = new Map<string, StoredSecret>(Object.entries(before.secrets));
  for (const [name, secret] of secrets) {
    if (secret) merged.set(name, secret);
    else merged.delete(name);
  }
  for (const name of merged.keys()) {
    const isSame = purposeOf(connector, before.settings, name) ===
      purposeOf(connector, settings, name);
    if (isSame || secrets.has(name)) continue;
    throw badRequest(`Enter ${name} again`, [
      { field: `settings.${name}`, message: "must be given again with another host, port or TLS" },
    ]);
  }
  return Object.fromEntries(merged);
}
