import { z } from "zod";
import { demands } from "#platform/config/kinds.ts";

/** A Kafka of others, into which clients of OpenLineage write. */
export const foreignKafka = z.strictObject({
  brokers: z.string().min(1).optional().describe(
    "Kafka brokers that clients of OpenLineage write to, `host:port` separated by commas; unset: none are read",
  ),
  topic: z.string().regex(/^[A-Za-z0-9._-]{1,249}$/).default("openlineage.events").describe(
    "Topic they write to, named whole: a JSON event, or an array of them, in each record",
  ),
  "group-id": z.string().regex(/^[A-Za-z0-9._-]{1,200}$/).optional().describe(
    "Consumer group that reads it; unset: `<instance>.openlineage.<topic>`",
  ),
  ssl: z.strictObject({
    enabled: z.boolean().default(false).describe("TLS to these brokers"),
    "ca-file": z.string().min(1).optional().describe(
      "PEM file of a private certificate authority",
    ),
  }).prefault({}),
  sasl: z.strictObject({
    mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]).optional().describe(
      "How to sign in to these brokers",
    ),
    username: z.string().optional().describe("User at these brokers"),
    password: z.string().optional().describe("Password at these brokers"),
  }).prefault({}),
}).superRefine(({ brokers, ssl, sasl }, context) => {
  const { demand, idle } = demands(context);
  if (!brokers) {
    const without = "without openlineage.kafka.brokers";
    idle(ssl.enabled, ["ssl", "enabled"], without);
    idle(sasl.mechanism, ["sasl", "mechanism"], without);
  }
  if (!ssl.enabled) {
    idle(ssl["ca-file"], ["ssl", "ca-file"], "unless openlineage.kafka.ssl.enabled is true");
  }
  for (const name of ["username", "password"] as const) {
    if (sasl.mechanism) {
      demand(sasl[name], ["sasl", name], "openlineage.kafka.sasl.mechanism is set");
    } else idle(sasl[name], ["sasl", name], "without openlineage.kafka.sasl.mechanism");
  }
});
