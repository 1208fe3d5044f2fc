import { z } from "zod";
import { aliases } from "#platform/config/aliases.ts";
import { foreignKafka } from "#platform/config/foreign-kafka.ts";
import { someTime } from "#platform/config/kinds.ts";

/** Taking in what collectors of DataHub report. */
export const datahub = z.strictObject({
  enabled: z.boolean().default(true).describe(
    "Whether collectors of DataHub are served below /integrations/datahub",
  ),
  hosts: aliases.describe(
    "Hosts of platforms, which DataHub does not report: postgres=db.example:5432, …; of one platform instance or " +
      "environment: postgres/eu=db.eu.example, postgres/DEV=db.dev.example. Unset: the only host on which the catalogue " +
      "has such a dataset, else `unknown`",
  ),
  "max-entities": z.int().min(1_000).max(100_000_000).default(1_000_000).describe(
    "Most entities whose aspects are stored; further ones are refused",
  ),
  "max-waiting": z.int().min(100).max(10_000_000).default(50_000).describe(
    "Changed entities that wait to be published beyond which clients are asked to wait",
  ),
  kafka: foreignKafka({
    key: "datahub.kafka",
    writers: "Kafka sinks of DataHub",
    topic: "MetadataChangeProposal_v1",
    record: "a metadata change proposal in each record, in Avro with a schema registry, or in JSON",
    group: "<instance>.datahub.<topic>",
  }).prefault({}),
  "schema-registry": z.strictObject({
    url: z.url({ protocol: /^https?$/ }).optional().describe(
      "Schema registry of the records of `datahub.kafka`; unset: the one that this server has for them, at " +
        "`/integrations/datahub/schema-registry/api/`",
    ),
    username: z.string().optional().describe("User at that schema registry"),
    password: z.string().optional().describe("Password at that schema registry"),
  }).prefault({}),
  ttl: someTime("30 d").describe(
    "How long the aspects of a removed entity, and a name without aspects, are retained",
  ),
  refresh: someTime("6 h").describe(
    "How often what did not change is posted again while it is reported, so that it does not become stale",
  ),
});
