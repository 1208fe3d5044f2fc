import { z } from "zod";
import { foreignKafka } from "#platform/config/foreign-kafka.ts";
import { aliases, someTime } from "#platform/config/kinds.ts";

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
