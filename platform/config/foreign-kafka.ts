import { z } from "zod";
import { demands } from "#platform/config/kinds.ts";

/** What a Kafka of others is for. */
interface ForeignKafka {
  /** Its key, such as `openlineage.kafka`. */
  key: string;
  /** Who writes there, such as `clients of OpenLineage`. */
  writers: string;
  topic: string;
  /** What a record holds. */
  record: string;
  /** How the consumer group is called, of `<topic>`, unless it is set. */
  group: string;
}

/** A Kafka of others, which is read: its brokers, topic, group, TLS and sign-in. */
export function foreignKafka({ key, writers, topic, record, group }: ForeignKafka) {
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
