import { stringify } from "yaml";
import type { Config } from "#platform/config/schema.ts";
import { isSecretKey, secretsIn } from "#platform/secrets.ts";

/**
 * The configuration as YAML, for an operator who rebuilds the installation, without every value that is a secret or holds one;
 * their keys are listed. Durations are milliseconds, sizes bytes.
 */
export function configurationText(config: Config): string {
  const omitted: string[] = [];
  const shown = withoutSecrets(config, "", omitted);
  const head = [
    "# The configuration of this instance when the backup was made, defaults included.",
    "# Secrets are not in a backup. These keys were set and are left out:",
    ...omitted.map((key) => `#   ${key}`),
  ];
  return `${head.join("\n")}\n${stringify(shown)}`;
}

function withoutSecrets(value: unknown, key: string, omitted: string[]): unknown {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    const entries = Object.entries(value).flatMap(([name, member]) => {
      const path = key === "" ? name : `${key}.${name}`;
      const shown = withoutSecrets(member, path, omitted);
      return shown === undefined ? [] : [[name, shown] as const];
    });
    return Object.fromEntries(entries);
  }
  if (value === undefined || value === null) return undefined;
  const isSecret = isSecretKey(key) && value !== "";
  if (!isSecret && secretsIn(value, key).every((secret) => secret === "")) return value;
  omitted.push(key);
  return undefined;
}
