import { z } from "zod";
import { capturesOf, inspectPattern } from "#kit/pattern.ts";
import {
  aliases,
  demands,
  durationOrOff,
  kafkaSecurity,
  someTime,
} from "#platform/config/kinds.ts";

/** Most rules of one list, and the longest pattern in UTF-16 units. */
const maxRules = 100;
const maxPattern = 1_000;

const pattern = (what: string) =>
  z.string().min(1).max(maxPattern).superRefine((text, context) => {
    const found = inspectPattern(text);
    if ("problem" in found) context.addIssue({ code: "custom", message: found.problem });
  }).describe(`Pattern (RE2) of ${what}`);

const namePlaceholders = ["namespace", "name"];

const namingRules = (what: string, example: string) =>
  z.array(
    z.strictObject({
      namespace: pattern(`the whole namespace of ${what}`),
      name: pattern(`the whole name of ${what}`),
      catrn: z.string().startsWith("//").max(1_000).describe(
        `CATRN of what matches both, such as ${example}: \`{1}\` or \`{group}\` is what the name's pattern captured, ` +
          "`{namespace}` and `{name}` are those given",
      ),
    }).superRefine(({ name, catrn }, context) => {
      if ("problem" in inspectPattern(name)) return;
      const known = [...namePlaceholders, ...capturesOf(name)];
      const used = [...catrn.matchAll(/\{([^{}]*)\}/g)].map(([, one]) => one!);
      if (used.every((one) => known.includes(one))) return;
      const message = `must use no placeholders but ${known.map((one) => `{${one}}`).join(", ")}`;
      context.addIssue({ code: "custom", path: ["catrn"], message });
    }),
  ).max(maxRules, `must be at most ${maxRules}`).default([]);

/** `pattern pattern …`, or a list. */
const pathPatterns = z.union([z.string(), z.array(z.string())]).default("").transform(
  (given) => (typeof given === "string" ? given.split(/\s+/) : given).filter((one) => one !== ""),
).pipe(
  z.array(pattern("the end of a path")).max(maxRules, `must be at most ${maxRules}`),
);

/** How long what OpenLineage events say is remembered, and for how long it counts. */
const openlineageState = {
  ttl: someTime("30 d").describe(
    "How long the state of a run is retained after its last event; that of the last 3 COMPLETE runs of a job stays",
  ),
  "runs-remembered": z.int().min(1).max(100).default(3).describe(
    "Number of latest COMPLETE runs whose inputs and outputs are shown as those of the job",
  ),
  "edge-ttl": durationOrOff("off").describe(
    "How long an input or output of a job is retained after the last run that names it, or `off`",
  ),
  "streaming-edge-ttl": durationOrOff("7 d").describe(
    "How long an input or output of a streaming job is retained after the last event that names it, or `off`",
  ),
  "job-ttl": durationOrOff("off").describe(
    "How long a job without events remains a member of its parent, or `off`",
  ),
  "run-timeout": someTime("24 h").describe(
    "Time without events after which a run that has not ended becomes UNKNOWN; runs of streaming jobs never do",
  ),
  refresh: someTime("5 min").describe(
    "How often unchanged items are posted again while their events arrive, so that they do not become stale",
  ),
};

/** Taking in OpenLineage: events, and what their names mean. */
export const openlineage = z.strictObject({
  enabled: z.boolean().default(true).describe(
    "Whether OpenLineage events are accepted and turned into lineage",
  ),
  ...openlineageState,
  "max-namespaces": z.int().min(1).max(1_000_000).default(10_000).describe(
    "Maximum number of namespaces with their own data source; further namespaces share one",
  ),
  hosts: aliases.describe(
    "Aliases of hosts whose name in the catalogue differs: alias=host, …; for a bucket of an " +
      "S3 store other than Amazon's: bucket=endpoint/bucket",
  ),
  datasets: namingRules(
    "a dataset",
    "`//postgresql/host/db/databases/shop/schemas/{1}/tables/{2}`",
  ),
  jobs: namingRules("a job", "`//airflow/host/airflow.example/dags/{1}`"),
  "path-patterns": pathPatterns.describe(
    "Patterns (RE2) of path suffixes that name partitions of one dataset, such as /\\d{4}/\\d{2}, with blanks between " +
      "them; directories such as /day=2026-01-31 are known",
  ),
  "aws-account": z.coerce.string().regex(/^\d{12}$/).optional().describe(
    "Account of Athena tables if no dataset in the catalogue provides it; unset: `unknown`",
  ),
  "gcp-project": z.string().regex(/^[a-z0-9.:-]{1,200}$/).optional().describe(
    "Project of buckets and BigQuery tables if no dataset in the catalogue provides it; unset: `unknown`",
  ),
  kafka: foreignKafka({
    key: "openlineage.kafka",
    writers: "clients of OpenLineage",
    topic: "openlineage.events",
    record: "a JSON event or an array of them",
    group: "<instance>.openlineage.<topic>",
  }).prefault({}),
});

/** Taking in what collectors of DataHub report. */
export const datahub = z.strictObject({
  enabled: z.boolean().default(true).describe(
    "Whether the API for DataHub's collectors is served, at `/integrations/datahub`",
  ),
  hosts: aliases.describe(
    "Hosts of platforms, which DataHub does not report: postgres=db.example:5432, …; of one platform instance or " +
      "environment: postgres/eu=db.eu.example, postgres/DEV=db.dev.example. Unset: the only host on which the catalogue " +
      "has such a dataset, else `unknown`",
  ),
  "max-entities": z.int().min(1_000).max(100_000_000).default(1_000_000).describe(
    "Maximum number of entities whose aspects are stored; further ones are refused",
  ),
  "max-waiting": z.int().min(100).max(10_000_000).default(50_000).describe(
    "Maximum number of changed entities waiting to be published; beyond it, clients are asked to retry later",
  ),
  kafka: foreignKafka({
    key: "datahub.kafka",
    writers: "Kafka sinks of DataHub",
    topic: "MetadataChangeProposal_v1",
    record: "a metadata change proposal, in JSON or in Avro with a schema registry",
    group: "<instance>.datahub.<topic>",
  }).prefault({}),
  "schema-registry": z.strictObject({
    url: z.url({ protocol: /^https?$/ }).optional().describe(
      "Schema registry for the records of `datahub.kafka`; unset: the server's own, at " +
        "`/integrations/datahub/schema-registry/api/`",
    ),
    username: z.string().optional().describe("User at that schema registry"),
    password: z.string().optional().describe("Password at that schema registry"),
  }).prefault({}),
  ttl: someTime("30 d").describe(
    "How long the aspects of a removed entity, and a name without aspects, are retained",
  ),
  refresh: someTime("6 h").describe(
    "How often unchanged items are posted again while they are reported, so that they do not become stale",
  ),
});

/** What a Kafka of others is for. */
interface ForeignKafka {
  /** Its key, such as `openlineage.kafka`. */
  key: string;
  /** Who writes there, such as `clients of OpenLineage`. */
  writers: string;
  topic: string;
  record: string;
  /** How the consumer group is called, of `<topic>`, unless it is set. */
  group: string;
}

/** A Kafka of others, which is read: its brokers, topic, group, TLS and sign-in. */
function foreignKafka({ key, writers, topic, record, group }: ForeignKafka) {
  return z.strictObject({
    brokers: z.string().min(1).optional().describe(
      `Kafka brokers that ${writers} write to, \`host:port\` separated by commas; unset: none are read`,
    ),
    topic: z.string().regex(/^[A-Za-z0-9._-]{1,249}$/).default(topic).describe(
      `Full name of the topic they write to; each record is ${record}`,
    ),
    "group-id": z.string().regex(/^[A-Za-z0-9._-]{1,200}$/).optional().describe(
      `Consumer group that reads it; unset: \`${group}\``,
    ),
    ...kafkaSecurity("these brokers"),
  }).superRefine(({ brokers, ssl, sasl }, context) => {
    const { demand, idle } = demands(context);
    if (!brokers) {
      const without = `without ${key}.brokers`;
      idle(ssl.enabled, ["ssl", "enabled"], without);
      idle(sasl.mechanism, ["sasl", "mechanism"], without);
    }
    if (!ssl.enabled) idle(ssl["ca-file"], ["ssl", "ca-file"], `unless ${key}.ssl.enabled is true`);
    for (const name of ["username", "password"] as const) {
      if (sasl.mechanism) demand(sasl[name], ["sasl", name], `${key}.sasl.mechanism is set`);
      else idle(sasl[name], ["sasl", name], `without ${key}.sasl.mechanism`);
    }
  });
}

/** The configuration of such a Kafka, read. */
export type ForeignKafkaConfig = z.output<ReturnType<typeof foreignKafka>>;
