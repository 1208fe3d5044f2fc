/**
 * Whether tests use the distributed engines. Embedded engines are always tested; with
 * `TRIBUTARY_TEST_DISTRIBUTED=1` a distributed engine that is missing is a failure, not a skip.
 */
export function distributed(): boolean {
  return process.env.TRIBUTARY_TEST_DISTRIBUTED === "1";
}

/** `host:port` of each Kafka broker. Throws when unset. */
export function kafkaBrokers(): string[] {
  return required("TEST_KAFKA_BROKERS").split(",");
}

export function neo4jOptions(): { url: string; username: string; password: string } {
  return {
    url: required("TEST_NEO4J_URL"),
    username: "neo4j",
    password: required("TEST_NEO4J_PASSWORD"),
  };
}

/** Throws when unset. */
export function redisUrl(): string {
  return required("TEST_REDIS_URL");
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the distributed suites need that engine`);
  return value;
}
