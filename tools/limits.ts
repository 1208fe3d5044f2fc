import type { Limit } from "#kit/limits.ts";
import { configKeys } from "#platform/config/keys.ts";
import { httpLimits } from "#platform/http/limits.ts";
import { namingLimits } from "#platform/naming/limits.ts";
import { apiLimits } from "#services/api/limits.ts";
import { recordLimits } from "#services/ingest-consumer/limits.ts";
import { sqlLimits } from "#services/ingest-consumer/sql-lineage/reader.ts";
import { kafkaSourceLimits } from "#services/openlineage/kafka-source/worker.ts";
import { datahubKafkaLimits } from "#services/datahub/kafka-source/worker.ts";
import { housekeepingLimits } from "#services/housekeeping/retention.queries.ts";
import { collectorLimits } from "#services/collector/limits.ts";
import { openLineageStateLimits } from "#services/openlineage/limits.ts";
import { traceLimits } from "#services/trace-gateway/limits.ts";

const head = `# Limits

For operators and for developers of clients: the maximum size, number and duration of everything that a client can send or
request, and what happens beyond it. A limit with a key is set by [configuration](../operate/configuration.md). This page is
generated from the lists of limits in the code by \`npm run docs\`.
`;

const rooms: Limit[] = [
  ...httpLimits,
  ...apiLimits,
  ...housekeepingLimits,
  ...kafkaSourceLimits,
  ...datahubKafkaLimits,
  ...openLineageStateLimits,
  ...collectorLimits,
  ...traceLimits,
  ...recordLimits,
  ...sqlLimits,
  ...namingLimits,
];

/** `docs/reference/limits.md`: every entry point with its limits. Throws when a limit names an unknown key. */
export function limitsMarkdown(): string {
  return [
    head,
    "| Entry point | Bounded | Limit | Key | If exceeded |",
    "| --- | --- | --- | --- | --- |",
    ...rooms.map(row),
    "",
  ].join("\n");
}

function row({ entrance, bounds, limit, beyond }: Limit): string {
  const [value, key] = typeof limit === "number"
    ? [limit.toLocaleString("en"), ""]
    : [`\`${standard(limit.key)}\``, `\`${limit.key}\``];
  return `| ${entrance} | ${bounds} | ${value} | ${key} | ${beyond} |`;
}

function standard(key: string): string {
  const known = configKeys().find((k) => k.key === key);
  if (!known) throw new Error(`a limit names the configuration key ${key}, which does not exist`);
  return String(known.default ?? "unset");
}
