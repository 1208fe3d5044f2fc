import { type ConfigKey, configKeys } from "#platform/config/keys.ts";

const head = `# Configuration

Generated from the schema by \`npm run docs\`; edit \`platform/config/schema.ts\` instead.

A key is set in \`tributary.yaml\` (another file by \`TRIBUTARY_CONFIG\`) or by its environment
variable, which wins. \`{id}\` is a name of your choice; \`{n}\` is a place in a list, from 0: the file has a list of
such keys, the environment a variable for each (\`CATALOG_LINKS_0_TITLE\`). All problems are reported at once when the program starts. An engine whose
address is not set is the embedded one.

Keys of the published contract that are none here, \`spring.*\` among them, are refused by name wherever they are
set, with the key that does the same or what is not there yet ([deviations](../reference/deviations.md)); variables that other
programs may mean (\`SPRING_…\`, \`LOGGING_LEVEL_…\`) are warned of. Other unknown variables are let be.

Beside the keys, the environment alone sets: \`LOG_LEVEL\` (\`info\`, \`debug\`), \`LOG_FORMAT\` (\`json\`, \`text\`;
text at a terminal unless told), and the OpenTelemetry variables, of which \`OTEL_EXPORTER_OTLP_ENDPOINT\`
switches the export of spans on.
`;

/** \`docs/operate/configuration.md\`: every key with its environment name, default and allowed values. */
export function configurationMarkdown(): string {
  const keys = configKeys();
  const retentionKeys = keys.filter((k) => k.key.startsWith("housekeeping.ttl."));
  return [
    head,
    table(keys.filter((k) => !retentionKeys.includes(k)), "Meaning"),
    "\n## How long things are kept\n\nHousekeeping removes everything older than its key allows.\n",
    table(retentionKeys, "What is lost with it"),
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
