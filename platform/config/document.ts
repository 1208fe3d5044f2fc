import { type ConfigKey, configKeys } from "#platform/config/keys.ts";

const head = `# Configuration

For operators: every configuration key. This page is generated from \`platform/config/schema.ts\` by \`npm run docs\`.

Set a key in \`tributary.yaml\` (or in the file that \`TRIBUTARY_CONFIG\` names) or by its environment variable, which takes
precedence. \`{id}\` is a name that you choose. \`{n}\` is an index in a list, from 0: the file has a list, and the environment
one variable per entry (\`CATALOG_LINKS_0_TITLE\`). An engine without an address is the embedded one. All errors are reported
together at startup.

Keys of the published contract that Tributary does not have, including \`spring.*\`, are rejected with the equivalent key or the
missing feature ([deviations](../reference/deviations.md)). Variables that may belong to other programs (\`SPRING_…\`,
\`LOGGING_LEVEL_…\`) cause a warning. Other unknown variables are ignored.

These variables have no key: \`LOG_LEVEL\` (\`info\`, \`debug\`), \`LOG_FORMAT\` (\`json\`, \`text\`; by default text on a terminal),
and the OpenTelemetry variables; \`OTEL_EXPORTER_OTLP_ENDPOINT\` enables the export of spans.
`;

/** \`docs/operate/configuration.md\`: every key with its environment name, default and allowed values. */
export function configurationMarkdown(): string {
  const keys = configKeys();
  const retentionKeys = keys.filter((k) => k.key.startsWith("housekeeping.ttl."));
  return [
    head,
    table(keys.filter((k) => !retentionKeys.includes(k)), "Meaning"),
    "\n## Retention\n\nHousekeeping deletes everything older than its key.\n",
    table(retentionKeys, "What is deleted"),
  ].join("\n");
}

function table(keys: ConfigKey[], last: string): string {
  const rows = keys.map((k) =>
    `| \`${k.key}\` | \`${k.env}\` | ${standard(k)} | ${
      k.allowed.replaceAll("|", "\\|")
    } | ${k.description} |`
  );
  return [
    `| Key | Environment | Default | Allowed | ${last} |`,
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

function standard(key: ConfigKey): string {
  return key.default === undefined || key.default === "" ? "unset" : `\`${String(key.default)}\``;
}
